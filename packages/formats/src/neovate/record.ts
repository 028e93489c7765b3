import { isRecord, type JsonRecord } from '../kept-record.ts'

/** A line of a Neovate file as parsed: nothing about it is known yet. */
export type Fields = JsonRecord
export const isFields = isRecord

/** What Neovate shows in place of a summary; it tells that a message is one (N72). */
export const COMPACT_MESSAGE = 'Chat history compacted successfully.'
/** What Neovate writes for a request, or a tool call, that the user stopped. */
export const INTERRUPTED = '[Request interrupted by user]'

/** Lines of a Neovate file that are no messages (settings, types nobody knows) are kept in entries of this type. */
export const KEPT_LINE = 'treeline/neovate'

/**
 * The `neovate` field of an entry: what the line it came from says beyond our own fields, see `template.ts`. Of a line
 * that became several entries all have `line`, and the last has `record`; the `parts` others are those above it.
 */
export interface Kept {
  readonly record?: unknown
  /** In place of `record`: the line itself, where a log could not hold its parts as they are. */
  readonly json?: string
  /** How many entries stand above this one for the same line. */
  readonly parts?: number
  /** The id of the entry that has the record. */
  readonly line?: string
  /** It stood before the first message. It comes after it here: Neovate puts such lines before what is there already. */
  readonly isFirst?: true
  /** Keys of a config line whose values are the session's settings. */
  readonly settings?: readonly string[]
}

export function keptOf(entry: Fields | undefined): Kept | undefined {
  return isFields(entry?.neovate) ? (entry.neovate as Kept) : undefined
}

/** Neovate reads lines of this type only (N43). */
export function isMessage(record: Fields): boolean {
  return record.type === 'message'
}

export function isConfig(record: Fields): boolean {
  return record.type === 'config' && isFields(record.config)
}
