import { estimateTokens } from '@treeline/core'
import { type Home, listTrash, type Session, type SessionStore } from '@treeline/store'
import { SAMPLE } from './sample-words.ts'

const TITLE = 'Sample: which cache?'

/** Makes the sample conversation in a home that never had a session. Gives its id; `undefined` when nothing was made. */
export async function makeSample(home: Home, store: SessionStore, cwd: string): Promise<string | undefined> {
  if ((await store.list()).length > 0 || (await listTrash(home)).length > 0) return undefined
  await using session = await store.create({ cwd, title: TITLE })
  await session.edit({ operations: [{ op: 'session', patch: { tags: ['sample'] } }] })
  await tell(session)
  return session.id
}

/** Branches, two answers to one question, a side track in the stash, muted nodes, a compaction, labels. */
async function tell(session: Session): Promise<void> {
  const asked = await say(session, null, 'user', SAMPLE.which)
  const choice = await say(session, asked, 'assistant', SAMPLE.choice)

  const lru = await say(session, choice, 'user', SAMPLE.lru)
  const lruSize = await say(session, lru, 'assistant', SAMPLE.lruSize)
  const scan = await say(session, lruSize, 'user', SAMPLE.scan)
  const weakness = await say(session, scan, 'assistant', SAMPLE.weakness)
  await session.setLabel(weakness, 'why not LRU')

  const lfu = await say(session, choice, 'user', SAMPLE.lfu)
  await say(session, lfu, 'assistant', SAMPLE.lfuShort)
  const lfuCode = await say(session, lfu, 'assistant', SAMPLE.lfuCode)
  await session.setLabel(lfuCode, 'decided')

  const aside = await say(session, lfuCode, 'user', SAMPLE.aside)
  await say(session, aside, 'assistant', SAMPLE.asideAnswer)
  await session.edit({ operations: [{ op: 'prune', nodeId: aside, include: 'self' }] })
  await session.edit({ operations: [{ op: 'meta', nodeId: aside, patch: { stashTitle: SAMPLE.asideTitle } }] })

  const limit = await say(session, lfuCode, 'user', SAMPLE.limit)
  const limitAnswer = await say(session, limit, 'assistant', SAMPLE.limitAnswer)
  const paste = await say(session, limitAnswer, 'user', SAMPLE.paste)
  const pasteAnswer = await say(session, paste, 'assistant', SAMPLE.pasteAnswer)
  await session.edit({ operations: [{ op: 'mute', nodeIds: [paste, pasteAnswer] }] })

  const compaction = await compact(session, limit)
  const proof = await say(session, compaction, 'user', SAMPLE.proof)
  await say(session, proof, 'assistant', SAMPLE.proofAnswer)
}

async function say(
  session: Session,
  parentId: string | null,
  role: 'user' | 'assistant',
  text: string,
): Promise<string> {
  const message = {
    role,
    content: [{ type: 'text', text }],
    timestamp: Date.now(),
    ...(role === 'assistant' && { stopReason: 'stop' }),
  }
  const { id } = await session.append({ type: 'message', message }, { parentId })
  return id
}

/** As the agent writes one, but with words that were chosen beforehand. */
async function compact(session: Session, firstKeptEntryId: string): Promise<string> {
  const { messages } = await session.line()
  const draft = {
    type: 'compaction',
    summary: SAMPLE.summary,
    firstKeptEntryId,
    tokensBefore: estimateTokens(messages),
  }
  const { id } = await session.append(draft, { undoable: { children: 'splice' } })
  return id
}
