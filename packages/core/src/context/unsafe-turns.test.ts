import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentMessage } from '../entry/message.ts'
import { runs } from '../testing/runs.ts'
import { dropUnsafeTurns } from './unsafe-turns.ts'

const callId = fc.constantFrom('a', 'b', 'c')
const block = fc.oneof(
  callId.map((id) => ({ type: 'toolCall', id, name: 't', arguments: {} })),
  fc.constantFrom({ type: 'text', text: 'x' }, { type: 'text', text: ' ' }, { type: 'redactedThinking', data: 'd' }),
)
const message = fc.oneof(
  fc.record({
    role: fc.constant('assistant'),
    content: fc.array(block, { maxLength: 3 }),
    stopReason: fc.constantFrom('stop', 'error', 'aborted'),
  }),
  callId.map((toolCallId) => ({ role: 'toolResult', toolCallId, toolName: 't', content: [], isError: false })),
  fc.constantFrom(
    { role: 'user', content: 'u' },
    { role: 'custom', customType: 'interrupted-thinking', content: '' },
    { role: 'custom', customType: 'prewalk-plan', content: '' },
  ),
)

const callsOf = (item: AgentMessage) =>
  item.role === 'assistant' ? item.content.flatMap((part) => (part.type === 'toolCall' ? [part.id] : [])) : []

test('no call is left without a result, no failed turn without its note, and order is kept', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 14 }), (messages) => {
      const items = messages.map((item, index) => ({ message: item as unknown as AgentMessage, index }))
      const kept = dropUnsafeTurns(items)
      expect(kept.map((item) => item.index)).toEqual(kept.map((item) => item.index).sort((a, b) => a - b))
      for (const [at, { message: item, index }] of kept.entries()) {
        const next = kept[at + 1]?.message
        if (item.role !== 'assistant') {
          expect(item).toBe(items[index]!.message)
          continue
        }
        expect(item.content.length > 0 || item === items[index]!.message).toBe(true)
        if (item.stopReason !== 'stop') expect(next).toMatchObject({ customType: 'interrupted-thinking' })
      }
      const answered = new Set<string>(messages.flatMap((item) => ('toolCallId' in item ? [item.toolCallId] : [])))
      expect(kept.flatMap(({ message: item }) => callsOf(item)).every((id) => answered.has(id))).toBe(true)
    }),
    { numRuns: runs(1000) },
  )
})

test('what is safe is passed on untouched', () => {
  const safe: AgentMessage[] = [
    { role: 'user', content: 'q' },
    { role: 'assistant', content: [{ type: 'toolCall', id: 'a', name: 't', arguments: {} }], stopReason: 'toolUse' },
    { role: 'toolResult', toolCallId: 'a', toolName: 't', content: [], isError: false },
  ]
  const items = safe.map((item) => ({ message: item }))
  const kept = dropUnsafeTurns(items)
  expect(kept.every((item, index) => item === items[index])).toBe(true)
})

const aborted = (content: readonly object[], stopReason = 'aborted') => ({ role: 'assistant', content, stopReason })
const note = { role: 'custom', customType: 'interrupted-thinking', content: 'was thinking' }
const kept = (messages: readonly object[]) =>
  dropUnsafeTurns(messages.map((item) => ({ message: item as unknown as AgentMessage }))).map((item) => item.message)

test('an interrupted turn stays with its note, even when a failed turn and its results stood between them', () => {
  const first = aborted([{ type: 'text', text: 'half' }])
  const second = aborted([{ type: 'toolCall', id: 'a', name: 't', arguments: {} }])
  const result = { role: 'toolResult', toolCallId: 'a', toolName: 't', content: [], isError: true }
  expect(kept([first, second, result, note])).toEqual([first, note])
})

test('a request the provider refused outright goes, note or not', () => {
  expect(kept([aborted([{ type: 'text', text: ' ' }], 'error'), note])).toEqual([note])
  expect(kept([aborted([{ type: 'text', text: 'x' }], 'error'), note]).length).toBe(2)
})
