import { createHash } from 'node:crypto'

const SHOWN_CHARS = 80

/**
 * Providers give calls ids of any form, and two answers side by side may use the same. On the wire an id can stand in a
 * path and is of one call of one answer: nobody allows another call than the one that was shown.
 */
export function toApprovalId(nodeId: string, toolCallId: string): string {
  const safe = toolCallId.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, SHOWN_CHARS)
  const hash = createHash('sha256')
    .update(JSON.stringify([nodeId, toolCallId]))
    .digest('hex')
    .slice(0, 16)
  return /^[A-Za-z0-9]/.test(safe) ? `${safe}.${hash}` : `c${safe}.${hash}`
}
