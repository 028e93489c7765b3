import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FlatEntry } from '@treeline/core'
import { expect, test } from 'vitest'
import { makeTempFolder } from '../../testing/temp-folder.ts'
import { findIncompleteToolCalls, loadSession, recoverSession, recoverWithRetry } from './index.ts'

function entry(id: string, parentId: string | null, type: FlatEntry['type'], toolCallId?: string): FlatEntry {
  return { id, parentId, timestamp: 1, type, content: `of ${id}`, ...(toolCallId && { metadata: { toolCallId } }) }
}
const start = [entry('u', null, 'user'), entry('c', 'u', 'tool_call')]
const idsOf = (entries: readonly FlatEntry[]) => entries.map(({ id }) => id)

/** What was printed, and which calls were run. */
function recorder(): {
  log: (message: string) => void
  executeTool: (call: FlatEntry) => Promise<{ output: string }>
  printed: string[]
  ran: string[]
} {
  const printed: string[] = []
  const ran: string[] = []
  const executeTool = async (call: FlatEntry) => {
    ran.push(call.id)
    return { output: `ran ${call.id}` }
  }
  return { log: (message) => void printed.push(message), executeTool, printed, ran }
}

test('P16 an agent gets the history of the last line', async () => {
  using folder = makeTempFolder()
  const path = folder.plant('s.jsonl', ...start, entry('v', 'u', 'user'))
  const { log, printed } = recorder()
  let restored: readonly FlatEntry[] = []
  const agent = {
    restoreHistory(history: readonly FlatEntry[]) {
      restored = history
    },
  }
  expect(await recoverSession(path, { createAgent: () => agent, log })).toBe(agent)
  expect(idsOf(restored)).toEqual(['u', 'v'])
  expect(printed).toEqual(['✓ Recovered session with 2 messages'])
})

test('X68 no file and an empty one are a new agent', async () => {
  using folder = makeTempFolder()
  const { log, printed } = recorder()
  for (const path of [folder.plant('empty.jsonl', ''), join(folder.path, 'none.jsonl')]) {
    expect((await recoverSession(path, { log })).history).toEqual([])
    expect((await recoverWithRetry(path, { log })).history).toEqual([])
  }
  expect(printed).toEqual([])
})

test('P18 X66 by default an unfinished call is marked as interrupted and not run', async () => {
  using folder = makeTempFolder()
  const path = folder.plant('s.jsonl', ...start)
  const before = readFileSync(path, 'utf8')
  const { log, printed, executeTool, ran } = recorder()
  const { history } = await recoverWithRetry(path, { log, executeTool })
  expect(ran).toEqual([])
  expect(history.at(-1)).toMatchObject({ parentId: 'c', type: 'tool_result', metadata: { interrupted: true } })
  expect(printed).toEqual(['Found 1 incomplete tool calls', '✓ Recovered session with 3 messages'])
  expect(findIncompleteToolCalls(await loadSession(path))).toEqual([])
  // X9: appended, never rewritten.
  expect(readFileSync(path, 'utf8').startsWith(before)).toBe(true)
})

test('X66 only what is declared idempotent, on the active branch, is run again; a tool that fails is told', async () => {
  using folder = makeTempFolder()
  const lines = [
    ...start,
    entry('other', 'u', 'tool_call', 'o'),
    entry('p', 'c', 'tool_call', 'x'),
    entry('q', 'p', 'tool_call', 'y'),
  ]
  const path = folder.plant('s.jsonl', ...lines)
  const { log, printed, executeTool, ran } = recorder()
  const isIdempotent = (call: FlatEntry) => call.id !== 'c'
  const failing = async (call: FlatEntry) => {
    if (call.id === 'q') throw new Error('no disk')
    return executeTool(call)
  }
  const { history } = await recoverWithRetry(path, { log, executeTool: failing, isIdempotent })
  expect(ran).toEqual(['p'])
  expect(printed[0]).toBe('Found 3 incomplete tool calls')
  expect(history.slice(4)).toMatchObject([
    { parentId: 'q', content: 'The tool failed: no disk', metadata: { toolCallId: 'y', isError: true } },
    { content: 'ran p', metadata: { toolCallId: 'x', retried: true } },
    { metadata: { interrupted: true } },
  ])
  expect(idsOf(findIncompleteToolCalls(await loadSession(path)))).toEqual(['other'])
})

test('X67 recovering does not change the branch: a call the conversation went on from is answered beside it', async () => {
  using folder = makeTempFolder()
  const path = folder.plant('s.jsonl', ...start, entry('v', 'c', 'user'), entry('w', 'v', 'assistant'))
  const { log } = recorder()
  const { history } = await recoverWithRetry(path, { log })
  expect(idsOf(history)).toEqual(['u', 'c', 'v', 'w'])
  const entries = await loadSession(path)
  expect(entries).toHaveLength(5)
  expect(entries[4]).toMatchObject({ parentId: 'c', type: 'tool_result' })
  expect((await recoverWithRetry(path, { log })).history).toHaveLength(4)
  expect(await loadSession(path)).toHaveLength(5)
})
