import type { Entry } from '@treeline/core'

const ZERO = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
}

/** An answer that says nothing of tokens keeps xcsh from opening the session at all. */
export function withUsage(entry: Entry): Entry {
  const { message } = entry as { readonly message?: unknown }
  if (entry.type !== 'message' || typeof message !== 'object' || message === null) return entry
  const { role, usage } = message as { readonly role?: unknown; readonly usage?: unknown }
  if (role !== 'assistant' || (typeof usage === 'object' && usage !== null)) return entry
  return { ...entry, message: { ...message, usage: ZERO } }
}
