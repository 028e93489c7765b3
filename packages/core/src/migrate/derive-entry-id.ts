import type { EntryId } from '../entry/entry.ts'

/**
 * The id of a record that has none. Equal on every open, and never twice in one session: for a given session the
 * mapping from record number to id is one-to-one over 32 bits.
 */
export function deriveEntryId(sessionId: string, record: number): EntryId {
  return mix(record ^ hash(sessionId))
    .toString(16)
    .padStart(8, '0')
}

/** MurmurHash3's finaliser: xor-shifts and odd multiplications only, so it can be undone and cannot collide. */
function mix(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** FNV-1a over UTF-16 code units. */
function hash(text: string): number {
  let h = 0x811c9dc5
  for (let index = 0; index < text.length; index++) h = Math.imul(h ^ text.charCodeAt(index), 0x01000193)
  return h
}
