import type { KeptCredential } from './credential-file.ts'

/** Also what another process revoked, or what expired, counts within a second. */
const LOOK_MS = 500

export type OnRevoked = (credentialId: string) => void

/** Notices what no longer counts, so that what it opened can be closed. */
export interface Revocations extends Disposable {
  /** Who counts now. Whoever was among them once is told of, once, when no longer. */
  look(): readonly KeptCredential[]
  /** A listener must not throw: others wait behind it. */
  listen(listener: OnRevoked): () => void
}

export function watchRevocations(readLive: () => readonly KeptCredential[]): Revocations {
  const listeners = new Set<OnRevoked>()
  /** By everything they say, as text: one whose scope was changed is another one. */
  let seen: ReadonlyMap<KeptCredential, string> = new Map()

  function look(): readonly KeptCredential[] {
    const live = readLive()
    // Nearly always: this is asked for with every request.
    if (live.length === seen.size && live.every((one) => seen.has(one))) return live
    const before = seen
    seen = new Map(live.map((one) => [one, JSON.stringify(one)]))
    const left = new Set(seen.values())
    for (const [{ id }, text] of before) {
      if (!left.has(text)) for (const tell of [...listeners]) tell(id)
    }
    return live
  }

  look()
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  return {
    look,
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
