import { describe, expect, test } from 'vitest'
import type { AgentMessage } from '../entry/message.ts'
import { contextAt, loadLog } from '../testing/load-log.ts'
import { hasShared, listShared, readShared, readSharedJson, SKIPPED } from '../testing/shared-fixtures.ts'
import { estimateMessageTokens, estimateTokens } from './estimate-tokens.ts'

interface PiTokens {
  readonly openError?: string
  readonly tokens?: { readonly ok?: { readonly perMessage: readonly number[] } }
}

describe.skipIf(!hasShared)(hasShared ? 'Pi 1.5.0 fixtures' : SKIPPED, () => {
  const names = listShared('pi').filter((name) => name !== '24-self-parent-cycle' && !name.startsWith('31d'))

  test.each(names)('%s: a stored message is estimated as Pi estimates it', (name) => {
    const theirs = readSharedJson<PiTokens>(`pi/${name}.expected.json`).tokens?.ok?.perMessage
    if (theirs === undefined) return
    const log = loadLog(readShared(`pi/${name}.jsonl`))
    expect(contextAt(log, log.leafId, 'pi').messages.map(estimateMessageTokens)).toEqual(theirs)
  })
})

test('every part of a line counts, an image as 1,200 tokens', () => {
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const
  const call = { type: 'tool_call', toolCallId: 'c', name: 'read', input: { path: 'a' } } as const
  const output = [{ type: 'text', text: 'x'.repeat(9) }, image] as const
  const result = { type: 'tool_result', toolCallId: 'c', name: 'read', output, isError: false } as const
  expect(estimateTokens([])).toBe(0)
  expect(estimateTokens([{ role: 'user', content: [{ type: 'text', text: 'hello' }], nodeIds: ['a'] }])).toBe(2)
  expect(
    estimateTokens([{ role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }, call], nodeIds: ['b'] }]),
  ).toBe(5)
  expect(estimateTokens([{ role: 'tool', content: [result], nodeIds: ['c'] }])).toBe(1203)
})

test('messages of any shape are survived', () => {
  const odd = [
    {},
    { role: 'user' },
    { role: 'user', content: 7 },
    { role: 'assistant', content: [null, 3, { type: 'toolCall' }] },
  ]
  for (const message of odd) expect(estimateMessageTokens(message as unknown as AgentMessage)).toBe(0)
  expect(estimateMessageTokens({ role: 'system', sections: { a: 'four', b: null } } as unknown as AgentMessage)).toBe(1)
})
