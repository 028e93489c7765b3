import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openHome } from '../home.ts'
import { loadSources } from '../session-index/sources.ts'
import { IndexWorld } from '../testing/index-world.ts'
import { say } from '../testing/said-in-index.ts'
import { SmallIndex } from '../testing/small-index.ts'
import { header, makeTempHome, message, toText } from '../testing/temp-home.ts'
import type { SearchOptions } from './search-types.ts'

/** Logs on the disk and an index that knows none of them. */
async function openUnknown(...sessions: readonly (readonly object[])[]) {
  const temp = makeTempHome()
  const home = openHome({ home: temp.home })
  const index = new SmallIndex()
  const paths = sessions.map((lines, i) => temp.plant(`session-${i}`, header(`session-${i}`), ...lines))
  const sources = await loadSources(home, [])
  const pending = paths.map((path) => ({ source: 'treeline', path }))
  return {
    paths,
    index,
    search: (query: string, options: SearchOptions = {}, budgetMs = 60_000) =>
      index.search(query, options, { sources: new Map([...sources, ['memory', index.source]]), pending, budgetMs }),
    [Symbol.dispose]() {
      home.locks.close()
      index[Symbol.dispose]()
      temp[Symbol.dispose]()
    },
  }
}

function at(second: number, line: object): object {
  return { ...line, timestamp: `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z` }
}

test('files that the index does not know are searched themselves, in order with all others', async () => {
  using world = await openUnknown(
    [at(1, message('word one', 'a')), at(4, message('word two', 'b', 'a'))],
    [at(2, message('word three', 'c')), at(3, message('nothing', 'd', 'c'))],
  )
  const timeMs = Date.parse('2026-01-01T00:00:03Z')
  world.index.add('known', [{ entry: { ...message('word known', 'k'), type: 'message' } as never, timeMs }])
  const { hits, pending, next } = await world.search('word')
  expect(hits.map(({ nodeId }) => nodeId)).toEqual(['b', 'k', 'c', 'a'])
  expect({ pending, next }).toEqual({ pending: 0, next: undefined })
  expect(hits[0]).toMatchObject({
    sessionId: 'session-0',
    cwd: '/p',
    source: 'treeline',
    path: world.paths[0],
    role: 'user',
  })
  const seen: string[] = []
  let after: string | undefined
  do {
    const page = await world.search('word', { limit: 1, after })
    seen.push(...page.hits.map(({ nodeId }) => nodeId))
    after = page.next
  } while (after !== undefined)
  expect(seen).toEqual(['b', 'k', 'c', 'a'])
})

test('filters mean the same in files as in the index', async () => {
  const bash = { role: 'bashExecution', command: 'word', output: '', exitCode: 1 }
  const call = { type: 'toolCall', name: 'Read', arguments: { path: 'SRC/x.ts', note: 'word' } }
  using world = await openUnknown([
    at(1, message('word', 'user')),
    at(2, { ...message('', 'bash', 'user'), message: bash }),
    at(3, { ...message('', 'call', 'bash'), message: { role: 'assistant', content: [call] } }),
  ])
  const find = async (options: SearchOptions) => (await world.search('word', options)).hits.map(({ nodeId }) => nodeId)
  expect(await find({ role: 'bashExecution' })).toEqual(['bash'])
  expect(await find({ error: true })).toEqual(['bash'])
  expect(await find({ tool: 'read' })).toEqual(['call'])
  expect(await find({ path: 'src/x' })).toEqual(['call'])
  expect(await find({ cwd: '/elsewhere' })).toEqual([])
  expect(await find({ sessionId: 'session-0', until: '2026-01-01T00:00:02Z' })).toEqual(['user'])
  expect(await find({ since: '2026-01-01T00:00:03Z', role: 'assistant' })).toEqual(['call'])
})

test('a file that is known in part is searched as it is now, and nothing is found twice', async () => {
  using world = await openUnknown([at(1, message('word', 'a')), at(2, message('word', 'b', 'a'))])
  const [path] = world.paths
  world.index.add(path ?? '', [{ entry: { ...message('word', 'a'), type: 'message' } as never, timeMs: 1 }])
  const { hits } = await world.search('word')
  expect(hits.map(({ nodeId }) => nodeId)).toEqual(['b', 'a'])
})

test('what there is no time for is counted', async () => {
  using world = await openUnknown([message('word', 'a')], [message('word', 'b')])
  expect(await world.search('word', {}, 0)).toEqual({ hits: [], next: undefined, pending: 2 })
})

test('I7 a file that cannot be read is counted and hides no other', async () => {
  using world = await openUnknown([message('word', 'a')], [message('word', 'b')], [message('word', 'c')])
  const [gone = '', rubbish = ''] = world.paths
  rmSync(gone)
  writeFileSync(rubbish, `rubbish\n${toText([message('word', 'left')])}`)
  chmodSync(rubbish, 0o600)
  const { hits, pending } = await world.search('word')
  expect(hits.map(({ nodeId }) => nodeId).sort()).toEqual(['c', 'left'])
  expect(pending).toBe(1)
})

test('I6 with an index and without one the answer is the same, edits included', async () => {
  await using world = new IndexWorld()
  using empty = new SmallIndex()
  const index = await world.open()
  await using session = await world.store.create({ cwd: '/home/a', title: 'Title' })
  const ids: string[] = []
  for (const text of ['word root', 'word muted', 'word kept', 'word stashed', 'word below', 'word deleted', 'other']) {
    ids.push((await session.append(say.user(text))).id)
  }
  const [, muted = '', , stashed = '', , deleted = ''] = ids
  await session.edit({ operations: [{ op: 'mute', nodeIds: [muted] }] })
  await session.edit({ operations: [{ op: 'delete', nodeIds: [deleted], how: 'subtree' }] })
  await session.edit({ operations: [{ op: 'prune', nodeId: stashed, include: 'self' }] })
  await session.rename('Renamed')
  const sources = await loadSources(world.home, [])
  const pending = [{ source: 'treeline', path: session.path }]
  const both = async (query: string, options: SearchOptions) => {
    const page = await index.search(query, { ...options, fresh: true })
    expect(page).toEqual(await empty.search(query, options, { sources, pending, budgetMs: 60_000 }))
    return page.hits.map(({ snippet }) => snippet.text.slice(5)).sort()
  }
  expect(await both('word', {})).toEqual(['below', 'kept', 'muted', 'root', 'stashed'])
  expect(await both('word', { muted: true })).toEqual(['muted'])
  expect(await both('word', { muted: false, deleted: true })).toEqual(['below', 'deleted', 'kept', 'root', 'stashed'])
  expect(await both('-word cwd:/home/a', { deleted: true })).toEqual([''])
  expect(await both('wo ke', { sessionId: session.id })).toEqual(['kept'])
  expect(await both('', { source: 'treeline', limit: 2 })).toHaveLength(2)
  const [hit] = (await index.search('stashed')).hits
  expect(hit).toMatchObject({ isPruned: true, isDeleted: false, sessionName: 'Renamed', nodeId: stashed })
})
