import { EDIT_TYPE, type Entry, type MessageHead } from '@treeline/core'
import { copyJson } from './copy-json.ts'

/**
 * A line that was made here a moment ago, and what it says, as far as it is known: the tree need not read that back from
 * bytes. Every append pays for taking its line, and everybody waits for it who waits for the append.
 */
export interface KnownLine {
  readonly start: number
  readonly end: number
  readonly edit: Entry | undefined
  readonly message: MessageHead | undefined
}

/** The entry if it is an edit: as a copy that nobody else holds, and only what reading its line would give. */
export function knownEdit(entry: Entry): Entry | undefined {
  if (entry.type !== 'custom' || entry.customType !== EDIT_TYPE || 'crc' in entry) return undefined
  return copyJson(entry)
}
