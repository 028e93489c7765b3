import type { Scope } from '@treeline/protocol'

/** Who asks. */
export interface Actor {
  /** The name of the token, or `browser`. */
  readonly name: string
  readonly scope: Exclude<Scope, 'none'>
  /** The credential that it came with: when that is revoked, what it opened is closed. */
  readonly credentialId: string
  readonly isBrowser: boolean
}

const RANK: Readonly<Record<Scope, number>> = { none: 0, read: 1, write: 2, admin: 3 }

export function mayDo(actor: Actor, scope: Scope): boolean {
  return RANK[actor.scope] >= RANK[scope]
}
