/** What is said in the sample conversation. */
export const SAMPLE = {
  which:
    'We ask a price service 2,000 times a minute and it allows 600. Which cache should we put in front of it? ' +
    '(This is a sample conversation: everything in it can be changed, muted, cut, moved and undone.)',
  choice:
    'Prices change slowly and a few products get most of the questions, so even a small cache helps. Two policies fit:\n\n' +
    '- **LRU** keeps what was asked for last. Simple, quick, forgets fast.\n' +
    '- **LFU** keeps what is asked for most. It holds on to the favourites, also when something else passes through.\n\n' +
    'Either way give every price a time limit. Which one fits your traffic?',
  lru: 'LRU, please. How large should it be?',
  lruSize:
    'As many entries as cover most questions: count one day of product numbers, sort them by how often they come, and see ' +
    'where 80 % are reached. That is usually a few thousand, at about 200 bytes each.',
  scan: 'Every night an import reads each of our 400,000 products once. Is that a problem?',
  weakness:
    'Yes, that is where LRU is weak: one pass over everything pushes out all favourites, and in the morning every question ' +
    'goes to the service. You would have to keep the import away from the cache, or use a policy that counts.',
  lfu: 'The nightly import reads everything once, so LFU, please. What does it look like in TypeScript?',
  lfuShort: 'A `Map` from key to value and count; when it is full, drop the key with the lowest count.',
  lfuCode:
    'A map of entries, and for each count the keys that have it, so that nothing is ever searched:\n\n' +
    '```ts\n' +
    'class LfuCache<V> {\n' +
    '  private readonly entries = new Map<string, { value: V; count: number }>()\n' +
    '  private readonly byCount = new Map<number, Set<string>>()\n' +
    '  // get() moves a key to the set of the next count; set() drops the oldest key of the lowest one.\n' +
    '}\n' +
    '```\n\n' +
    'Halve all counts once an hour, or yesterday’s favourites stay forever.',
  aside: 'While we are at it: should we write the whole service anew in Rust?',
  asideAnswer: 'Not for this. 1,400 questions a minute too many are a matter of the cache, not of the language.',
  asideTitle: 'Rust, for another day',
  limit: 'Which time limit should a price have?',
  limitAnswer:
    'As long as a wrong price may be shown. If a minute is fine, take 60 seconds and vary them by 10 % each way, so that ' +
    'what was cached together does not expire together.',
  paste:
    'Here is a log of this morning, does it tell you anything?\n\n' +
    '```\n' +
    '08:00:01 miss sku=1042\n08:00:01 hit  sku=7\n08:00:01 hit  sku=7\n08:00:02 miss sku=99\n08:00:02 hit  sku=7\n' +
    '```',
  pasteAnswer: 'Nothing unusual: three hits of five, and both misses are products that were asked for the first time.',
  summary:
    '## Goal\nStay below 600 questions a minute to the price service; 2,000 come in.\n\n' +
    '## Decided\n- LFU, not LRU: the nightly import reads every product once and would push out the favourites of an LRU.\n' +
    '- A map of entries and a set of keys for each count; counts are halved every hour.\n\n' +
    '## Open\n- The time limit of a price, and how to see that it works.',
  proof: 'How will we see that it works?',
  proofAnswer:
    'Count three things each minute: questions, hits, and calls of the service. The calls must stay below 600 at any time of ' +
    'day, and the hits above 70 %. Look hardest at the hour after the import: that is what LFU was chosen for.',
} as const
