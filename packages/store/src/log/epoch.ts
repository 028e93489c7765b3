import { createHash, randomUUID } from 'node:crypto'
import type { SessionHeader } from '@treeline/core'

/**
 * Names what a log is a continuation of. The name is made of the file's identity and the header, both of which stay while
 * a log grows, so all who open the same log agree on it. A rewrite in place may keep both: whoever saw the log before
 * and after gives it a name of its own then. That it was rewritten while nobody looked cannot be told.
 */
export function createEpochs(): (identity: string, header: SessionHeader | undefined) => string {
  const taken = new Set<string>()
  return (identity, header) => {
    const text = JSON.stringify([identity, header ?? null])
    const found = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    const epoch = taken.has(found) ? `${found}.${randomUUID()}` : found
    taken.add(epoch)
    return epoch
  }
}
