import { openFileStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { findNode } from './node-of.ts'
import { callTreeline } from './testing/call-treeline.ts'
import { sampleHome } from './testing/sample-home.ts'

test('a node is meant by its id, a part of it, its label or `leaf`, and nothing is guessed', async () => {
  const { home, sessionId } = await sampleHome()
  await using store = await openFileStore({ home })
  await using session = await store.open(sessionId)
  await session.setLabel('rep00002', 'detour')
  const find = (text: string) => findNode(session.tree, text, session.leafId)
  expect(['ask00001', 'rep00003', '0003'.padStart(8, 'rep0')].map(find)).toEqual(['ask00001', 'rep00003', 'rep00003'])
  expect(find('leaf')).toBe('rep00003')
  expect(find('detour')).toBe('rep00002')
  expect(find('ask00002'.slice(0, 8))).toBe('ask00002')
  expect(() => find('rep')).toThrow('3 nodes fit "rep": rep00001, rep00002, rep00003. Give more of the id.')
  expect(() => find('k')).toThrow('There is no node "k"')
  expect(() => find('')).toThrow('There is no node ""')
})

test('R2 a session that cannot be found or changed is refused with what to do', async () => {
  const { id, path, ...at } = await sampleHome()
  const none = await callTreeline(['mute', 'ffffffff', 'ask00001'], at)
  expect(none).toMatchObject({ code: 3, stderr: expect.stringContaining('treeline ls') })
  const gone = await callTreeline(['mute', './nothere.jsonl', 'ask00001'], at)
  expect(gone).toMatchObject({ code: 3, stderr: expect.stringContaining('nothere.jsonl') })
  const latest = await callTreeline(['fork', '--json'], at)
  expect(latest.json().leafId).toBe('rep00003')
  const elsewhere = await callTreeline(['fork'], { ...at, cwd: '/' })
  expect(elsewhere).toMatchObject({ code: 3, stderr: expect.stringContaining('`treeline ls --all` shows all') })
})
