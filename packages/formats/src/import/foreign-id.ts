import { createHash } from 'node:crypto'
import { isSafeId } from '@treeline/core'

/** The id under which an entry is appended to a session of ours: its own, or one made of it where that can be none (K3). */
export function foreignId(id: string): string {
  return isSafeId(id) ? id : `x-${createHash('sha256').update(id).digest('hex').slice(0, 16)}`
}
