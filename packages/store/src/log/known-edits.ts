import { EDIT_TYPE, type Entry } from '@treeline/core'
import { copyJson } from './copy-json.ts'

/**
 * What lines say that were made here a moment ago: the tree takes an edit from its words, and need not read back from
 * bytes what is known. Every edit pays for that, and everybody waits for it who waits for the edit.
 */
const edits = new WeakMap<Uint8Array, Entry>()

/** Kept as a copy that nobody else holds, and only what reading the line would give. */
export function noteEdit(line: Uint8Array, entry: Entry): void {
  if (entry.type !== 'custom' || entry.customType !== EDIT_TYPE || 'crc' in entry) return
  const copy = copyJson(entry)
  if (copy !== undefined) edits.set(line, copy)
}

export function knownEdit(line: Uint8Array): Entry | undefined {
  return edits.get(line)
}
