/** An entry may be 64 deep, and a record stands a few levels down in it. */
const MAX_RECORD_DEPTH = 56
/** Keys that a log leaves out of entries. */
const TRANSIENT: ReadonlySet<string> = new Set(['partialJson', 'jsonlEvents'])
const BLOB_PREFIX = 'blob:'

/**
 * Whether an entry gives a record back as it was. A log cuts depth, drops what is of the moment, and looks up what
 * looks like one of its own blobs, which in another tool's file is nothing but text.
 */
export function canHold(value: unknown, limit = MAX_RECORD_DEPTH): boolean {
  if (typeof value === 'string') return !value.startsWith(BLOB_PREFIX)
  if (typeof value !== 'object' || value === null) return true
  if (limit === 0) return false
  if (Array.isArray(value)) return value.every((item) => canHold(item, limit - 1))
  return Object.entries(value).every(([key, child]) => !TRANSIENT.has(key) && canHold(child, limit - 1))
}
