import type { AgentEnv } from '../env.ts'

/** About how many tokens a text has when it is sent as a message of its own. */
export function estimateText({ estimate }: Pick<AgentEnv, 'estimate'>, text: string): number {
  return text === '' ? 0 : estimate([{ role: 'user', content: [{ type: 'text', text }], nodeIds: [] }])
}
