import type { EntryDraft } from '@treeline/core'

interface Cost {
  readonly input: number
  readonly output: number
  readonly cost: number
}

/** Messages as an agent would append them. */
export const say = {
  user: (text: string): EntryDraft => ({ type: 'message', message: { role: 'user', content: text, timestamp: 1 } }),
  assistant: (text: string, cost: Cost = { input: 0, output: 0, cost: 0 }): EntryDraft => ({
    type: 'message',
    message: {
      role: 'assistant',
      provider: 'demo',
      model: 'large',
      content: [{ type: 'text', text }],
      usage: {
        input: cost.input,
        output: cost.output,
        cacheRead: 0,
        cacheWrite: 0,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: cost.cost },
      },
      stopReason: 'stop',
    },
  }),
} as const
