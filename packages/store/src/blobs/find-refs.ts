import type { Entry } from '@treeline/core'
import { type BlobRef, blobRef, isBlobRef } from './blob-ref.ts'
import { walk } from './walk.ts'

const PREFIX = Buffer.from('blob:sha256:')
const HASH_CHARS = 64
const HASH = /^[a-f0-9]{64}$/

/** How many bytes a reference has. */
export const REFERENCE_BYTES = PREFIX.length + HASH_CHARS

/** Wherever in an entry one may stand; a person who types a reference into a message means no blob. */
export function findEntryRefs(entry: Entry): BlobRef[] {
  const refs: BlobRef[] = []
  walk(entry, (_, key, value) => {
    if (isBlobRef(value) && key !== 'text' && key !== 'content') refs.push(value)
    return 'into'
  })
  return refs
}

/** Everything in raw bytes that looks like one, as often as it is there. Costs next to nothing where there is none. */
export function* findByteRefs(bytes: Buffer): Generator<{ readonly ref: BlobRef; readonly at: number }> {
  for (let at = bytes.indexOf(PREFIX); at >= 0; at = bytes.indexOf(PREFIX, at + 1)) {
    const start = at + PREFIX.length
    const hash = bytes.toString('latin1', start, start + HASH_CHARS)
    if (HASH.test(hash)) yield { ref: blobRef(hash), at }
  }
}
