import type { EntryDraft } from '@treeline/core'
import { expect, test } from 'vitest'
import { readTool } from '../files/read.ts'
import { openBench, type ToolBench, textOfOutput } from '../testing/tool-bench.ts'
import { listBranchesTool } from './list-branches.ts'
import { readBranchTool } from './read-branch.ts'
import { searchSessionTool } from './search-session.ts'

const user = (content: string): EntryDraft => ({ type: 'message', message: { role: 'user', content } })
const assistant = (text: string): EntryDraft => ({
  type: 'message',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
})

/** Two branches under one question; the second is current. */
async function plant({ session }: ToolBench) {
  const [question, first, second] = await session.appendAll([
    user('How do I make tea?'),
    assistant('Boil water.'),
    user('And then?'),
  ])
  await session.branch(question!.id)
  const other = await session.append(assistant('Ask somebody else.'))
  return { question: question!.id, first: first!.id, second: second!.id, other: other.id }
}

test('branches are listed, the latest first, and this one is named', async () => {
  const bench = await openBench()
  const ids = await plant(bench)
  const output = await bench.call(listBranchesTool, {})
  const time = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z'
  const lines = textOfOutput(output).split('\n')
  expect(lines[0]).toMatch(
    new RegExp(`^${ids.other} \\(this branch\\): 2 messages, ${time}, assistant: Ask somebody else.$`),
  )
  expect(lines[1]).toMatch(new RegExp(`^${ids.second}: 3 messages, ${time}, user: And then\\?$`))
  expect(output.details).toEqual({ count: 2 })
})

test('many branches come in pages', async () => {
  const { session, call } = await openBench()
  const root = await session.append(user('root'))
  for (let i = 0; i < 70; i++) await session.append(user(`branch ${i}`), { parentId: root.id })
  const first = textOfOutput(await call(listBranchesTool, {})).split('\n')
  expect(first).toHaveLength(51)
  expect(first.at(-1)).toBe('[20 more: offset 50]')
  const second = textOfOutput(await call(listBranchesTool, { offset: 50 })).split('\n')
  expect(second).toHaveLength(20)
  expect(second.at(-1)).toContain('branch 0')
})

test('a branch is read from anywhere, whole or in part', async () => {
  const bench = await openBench()
  const { call } = bench
  const ids = await plant(bench)
  const texts = async (input: object) =>
    textOfOutput(await call(readBranchTool, input))
      .split('\n')
      .filter((line) => !/^(---|\[messages)/.test(line))
  expect(await texts({})).toEqual(['How do I make tea?', 'Ask somebody else.'])
  expect(await texts({ toId: ids.second })).toEqual(['How do I make tea?', 'Boil water.', 'And then?'])
  expect(await texts({ toId: ids.second, fromId: ids.first })).toEqual(['Boil water.', 'And then?'])
  expect(await texts({ toId: ids.second, limit: 1 })).toEqual(['And then?'])
  expect(await texts({ toId: ids.second, offset: 1, limit: 1 })).toEqual(['Boil water.'])
  expect(await texts({ offset: 9 })).toEqual(['[2 messages, none from 9 on]'])
  expect(await texts({ toId: ids.other, fromId: ids.first })).toEqual([
    `${ids.first} does not lead to ${ids.other}. Use list_branches.`,
  ])
  expect(await texts({ toId: 'no\u001bwhere' })).toEqual([
    'There is no message no⟨U+001B⟩where here. Use list_branches.',
  ])
})

test('long messages share the room there is, and one alone has all of it', async () => {
  const { session, call } = await openBench()
  for (let i = 0; i < 30; i++) await session.append(user('ä'.repeat(100_000)))
  for (const limit of [1, 20, 200]) {
    const text = textOfOutput(await call(readBranchTool, { limit }))
    const bytes = Buffer.byteLength(text)
    expect(bytes).toBeLessThanOrEqual(50 * 1024)
    expect(bytes).toBeGreaterThan(40 * 1024)
    expect(text).toContain('[… 200000 bytes in all]')
    expect(text).not.toContain('\ufffd')
  }
})

test('search looks through all branches, without regard to case, and goes on where it stopped', async () => {
  const bench = await openBench()
  const { session, call } = bench
  const ids = await plant(bench)
  await session.append(user(`${'x '.repeat(500)}BOIL${' y'.repeat(500)}`))
  const last = session.leafId
  await session.append(user('now'))
  const output = textOfOutput(await call(searchSessionTool, { query: 'boil' })).split('\n')
  expect(output).toHaveLength(2)
  expect(output[0]).toMatch(new RegExp(`^${ids.first} assistant \\S+: Boil water\\.$`))
  expect(output[1]).toMatch(new RegExp(`^${last} user \\S+: …[x ]+BOIL[y ]+…$`))
  const one = textOfOutput(await call(searchSessionTool, { query: 'boil', limit: 1 })).split('\n')
  expect(one[1]).toBe(`[there may be more: afterId ${ids.first}]`)
  const next = textOfOutput(await call(searchSessionTool, { query: 'boil', afterId: ids.first }))
  expect(next.startsWith(`${last} user`)).toBe(true)
  expect(textOfOutput(await call(searchSessionTool, { query: 'nowhere' }))).toBe('[nothing found]')
  expect(textOfOutput(await call(searchSessionTool, { query: 'x', afterId: 'none' }))).toBe(
    'There is no message none here.',
  )
})

test('what the user keeps from the model stays so: muted, pruned, deleted, and !! commands', async () => {
  const { session, call } = await openBench()
  const execution = { role: 'bashExecution', command: 'secret', output: 'secret', cancelled: false, truncated: false }
  const muted = await session.append(user('secret muted'))
  await session.append({ type: 'message', message: { ...execution, excludeFromContext: true } })
  const end = await session.append(user('end'))
  const pruned = await session.append(user('secret pruned'))
  await session.edit({
    operations: [
      { op: 'prune', nodeId: pruned.id, include: 'self' },
      { op: 'mute', nodeIds: [muted.id] },
    ],
  })
  expect(session.leafId).toBe(end.id)
  expect(textOfOutput(await call(searchSessionTool, { query: 'secret' }))).toBe('[nothing found]')
  const text = textOfOutput(await call(readBranchTool, {}))
  expect(text).not.toContain('secret')
  expect(text).toContain('[muted by the user]')
  expect(text).toContain('[kept out of the conversation by the user]')
  expect(textOfOutput(await call(readBranchTool, { toId: pruned.id }))).toContain('There is no message')
  expect(textOfOutput(await call(listBranchesTool, {}))).not.toContain('secret')
})

test('an answer on its way is told of', async () => {
  const { session, call } = await openBench()
  const { id } = await session.append(user('hi'))
  const data = { nodeId: 'abcdef01', parentId: id, model: 'a/b' }
  await session.append({ type: 'custom', customType: 'treeline/generation', data })
  expect(textOfOutput(await call(listBranchesTool, {}))).toContain('[still being generated]')
})

test('an empty session has nothing to read', async () => {
  const { call } = await openBench()
  expect(textOfOutput(await call(listBranchesTool, {}))).toBe('[0 branches, none from 0 on]')
  expect(textOfOutput(await call(readBranchTool, {}))).toBe('[0 messages, none from 0 on]')
  expect(textOfOutput(await call(searchSessionTool, { query: 'x' }))).toBe('[nothing found]')
})

test('two long branches that were written by turns are searched in time', async () => {
  const bench = await openBench()
  const entries = Array.from({ length: 20_000 }, (_, i) => ({
    id: `n${i}`,
    parentId: i < 2 ? null : `n${i - 2}`,
    timestamp: '2026-01-01T00:00:00.000Z',
    ...user(`message ${i}`),
  }))
  const session = await bench.store.create({ entries })
  await session.edit({ operations: [{ op: 'prune', nodeId: 'n19999', include: 'self' }] })
  const startedAt = performance.now()
  const output = await bench.call(searchSessionTool, { query: 'message 19998' }, { session, tipId: null })
  expect(textOfOutput(output)).toMatch(/^n19998 user/)
  expect(performance.now() - startedAt).toBeLessThan(8000)
})

test('the long output of a node that the user has muted is not read by its name either', async () => {
  const { session, call } = await openBench()
  const ref = await session.putBlob(Buffer.from('a secret plan'))
  const message = { role: 'toolResult', toolCallId: 'c', toolName: 'bash', content: [], details: { fullOutput: ref } }
  const { id } = await session.append({ type: 'message', message })
  expect(textOfOutput(await call(readTool, { path: ref }))).toBe('a secret plan')
  await session.edit({ operations: [{ op: 'mute', nodeIds: [id] }] })
  expect(textOfOutput(await call(readTool, { path: ref }))).toContain('keeps nothing as')
})
