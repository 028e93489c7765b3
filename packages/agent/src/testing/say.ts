import type { EntryDraft } from '@treeline/core'

/** Entries as an agent writes them, for tests that need a few. */
export function userSays(content: string): EntryDraft {
  return { type: 'message', message: { role: 'user', content, timestamp: 1 } }
}

export function assistantSays(text: string, fields: Readonly<Record<string, unknown>> = {}): EntryDraft {
  const message = { role: 'assistant', content: [{ type: 'text', text }], stopReason: 'stop', timestamp: 1, ...fields }
  return { type: 'message', message }
}

/** An answer that calls one tool, and its result. */
export function toolStep(id: string, name: string, input: object, output: string, isError = false): EntryDraft[] {
  const content = [{ type: 'toolCall', id, name, arguments: input }]
  const result = {
    role: 'toolResult',
    toolCallId: id,
    toolName: name,
    content: [{ type: 'text', text: output }],
    isError,
  }
  return [
    { type: 'message', message: { role: 'assistant', content, stopReason: 'toolUse', timestamp: 1 } },
    { type: 'message', message: { ...result, timestamp: 1 } },
  ]
}
