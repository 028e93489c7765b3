import { appendFileSync } from 'node:fs'
import { z } from 'zod'
import { piPolicy } from '../compaction/pi-policy.ts'
import type { AgentEnv } from '../env.ts'
import { DEFAULT_SETTINGS } from '../settings/settings.ts'
import { modelAt } from '../testing/provider-models.ts'
import { testEnv } from '../testing/test-env.ts'
import type { AnyTool } from '../tools/tool.ts'
import type { TurnOrder } from './order.ts'

/** Does something that must not be done twice, and can be made to take for ever. */
function noteTool(effects: string): AnyTool {
  return {
    name: 'note',
    description: 'Notes a text.',
    input: z.object({ text: z.string() }),
    effect: 'run',
    isRepeatable: false,
    preview: ({ text }) => ({ title: `note ${text}` }),
    run: async ({ text }, { toolCallId }) => {
      appendFileSync(effects, `begun ${toolCallId}\n`)
      if (text === 'wait') await new Promise(() => setInterval(() => {}, 1_000_000))
      appendFileSync(effects, `done ${toolCallId}\n`)
      return { content: [{ type: 'text', text: `noted ${text}` }] }
    },
  }
}

/** The same for the process that is killed and for the one that goes on. It compacts when the provider says `overflow`. */
export function tortureEnv({ url, effects, approval }: Pick<TurnOrder, 'url' | 'effects' | 'approval'>): AgentEnv {
  const model = modelAt({ url }, 'openai-compatible')
  const compaction = { ...DEFAULT_SETTINGS.compaction, reserveTokens: 1_000, keepRecentTokens: 20 }
  const settings = {
    ...DEFAULT_SETTINGS,
    ...(approval === 'yolo' && { approvalMode: 'yolo' as const }),
    compaction,
  }
  const ask = () => new Promise<never>(() => setInterval(() => {}, 1_000_000))
  return testEnv({ model, settings, policy: piPolicy(compaction), tools: [noteTool(effects)], ask })
}
