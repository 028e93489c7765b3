import type { Warning } from '@treeline/protocol'
import type { Generations } from '../../hub/generations.ts'

/**
 * Stops what an edit has taken away while it is being generated. By then the edit is in the log: what was said so far is
 * kept with what was taken away.
 */
export function cancelAnswers(generations: Generations, sessionId: string, nodeIds: readonly string[]): Warning[] {
  if (nodeIds.length === 0) return []
  const elsewhere = generations.cancelNodes(sessionId, nodeIds)
  if (elsewhere.length === 0) return []
  const detail = 'Another process generates these answers and goes on. What it writes is kept with what was taken away.'
  return [{ code: 'generating_elsewhere', nodeIds: [...elsewhere], detail }]
}
