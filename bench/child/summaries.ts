import { createHash } from 'node:crypto'
import type { Facts } from './job.ts'

/** What a picker shows of a session. */
export interface Summary {
  readonly id: string
  readonly firstPrompt: string
  readonly lastActivityMs: number
  readonly messageCount: number
}

const PROMPT_CHARACTERS = 60

/** Two lists have the same facts if they say the same, in whatever order. */
export function factsOfSummaries(summaries: readonly Summary[]): Facts {
  const lines = summaries.map(({ id, firstPrompt, lastActivityMs, messageCount }) => {
    const prompt = firstPrompt.replace(/\s+/g, ' ').trim().slice(0, PROMPT_CHARACTERS)
    return [id, prompt, lastActivityMs, messageCount].join('\t')
  })
  return { sessions: summaries.length, digest: createHash('sha256').update(lines.sort().join('\n')).digest('hex') }
}
