import type { Entry } from '@treeline/core'
import type { Session } from '@treeline/store'

/** Results may be long: not too many of them in memory at once. */
const BATCH = 64

/** The entries that can be read, in order. */
export async function* readInBatches(session: Session, ids: readonly string[]): AsyncGenerator<Entry> {
  for (let start = 0; start < ids.length; start += BATCH) {
    const entries = await session.readEntries(ids.slice(start, start + BATCH))
    for (const entry of entries) if (entry !== undefined) yield entry
  }
}
