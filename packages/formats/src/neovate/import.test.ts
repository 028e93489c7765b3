import { openMemoryStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { importSession } from '../import/import-session.ts'
import { makeTempFolder } from '../testing/temp-folder.ts'
import { message, trunkIds, writeOut } from './testing/round-trip.ts'

test('a file that has grown, with settings put before it all, is imported again: only what is new comes', async () => {
  using folder = makeTempFolder()
  await using store = await openMemoryStore()
  const call = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} })
  const result = (id: string) => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: 'read',
    input: {},
    result: { llmContent: id },
  })
  const start = [
    message('u', null),
    message('a', 'u', { role: 'assistant', content: [call('c1'), call('c2')], text: '' }),
  ]
  const file = folder.plant('6a7f9b2c.jsonl', ...start)
  const first = await importSession(store, file)
  expect(first).toMatchObject({ format: 'neovate', isNew: true, added: 2 })
  const more = [message('t', 'a', { role: 'tool', content: [result('c1'), result('c2')] }), message('v', 't')]
  const grown = [{ type: 'config', config: { approvalTools: [], summary: 'Name' } }, ...start, ...more]
  folder.plant('6a7f9b2c.jsonl', ...grown)
  const second = await importSession(store, file)
  expect(second).toMatchObject({ sessionId: first.sessionId, isNew: false, added: 4, skipped: 2 })
  await using session = await store.open(first.sessionId)
  expect(trunkIds(session)).toEqual(['u', 'a', 't.r1', 't', 'v'])
  const { records } = await writeOut(session)
  expect(records.map((record) => JSON.stringify(record))).toEqual(grown.map((record) => JSON.stringify(record)))
})
