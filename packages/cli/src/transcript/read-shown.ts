import type { Entry } from '@treeline/core'
import type { Session } from '@treeline/store'

const BATCH = 64

/** Entries as they are to be shown, a few at a time: images and cut texts are put back where there are any. */
export async function* readShown(
  session: Session,
  ids: readonly string[],
): AsyncGenerator<{ readonly id: string; readonly entry: Entry | undefined }> {
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH)
    const entries = await session.readEntries(batch)
    for (const [i, id] of batch.entries()) {
      const entry = entries[i]
      const isPartial = entry !== undefined && JSON.stringify(entry).includes('"blob:sha256:')
      yield { id, entry: isPartial ? ((await session.readFull(id))?.entry ?? entry) : entry }
    }
  }
}
