/**
 * Why a range of the log holds no record, and whether that matters: a `note` is harmless, `damage` means bytes that
 * cannot be read as an entry. The set is closed; doctor has a sentence for each.
 */
const SEVERITY = {
  /** A UTF-8 byte order mark at the start of a line. */
  bom: 'note',
  /** White space only: a line of it, or around a record. */
  blank: 'note',
  not_json: 'damage',
  /** A scalar, null or an array. */
  not_an_object: 'damage',
  /** An object without a string `type`. */
  no_type: 'damage',
  /** The last line has no line end and cannot be parsed: a write that was cut short. */
  torn: 'damage',
  garbage_before_record: 'damage',
  garbage_after_record: 'damage',
  /** Nested deeper than 64 levels. */
  too_deep: 'damage',
  /** Longer than a line that can be parsed in memory. */
  too_long: 'damage',
} as const

export type SkipReason = keyof typeof SEVERITY
export type Severity = (typeof SEVERITY)[SkipReason]

export interface SkippedRange {
  readonly reason: SkipReason
  readonly severity: Severity
  readonly offset: number
  readonly length: number
  /** 1-based physical line. */
  readonly line: number
}

/** Something to know about bytes that were kept. */
export interface LogNote {
  readonly code:
    | 'no_header'
    | 'extra_header'
    /** Kept with U+FFFD in place of the broken bytes. */
    | 'invalid_utf8'
    /** The checksum does not hold but the JSON does: another tool touched the line. */
    | 'crc_mismatch'
  readonly offset: number
  readonly length: number
  readonly line: number
}

/** Findings are listed up to this many; a file that is not a log at all must not fill memory with them. */
const MAX_LISTED = 10_000

/** What was found beside good entries. `unlisted` counts what did not fit in the lists. */
export interface Findings {
  readonly skipped: SkippedRange[]
  readonly notes: LogNote[]
  unlisted: number
}

export function addSkipped(findings: Findings, reason: SkipReason, offset: number, length: number, line: number): void {
  if (findings.skipped.length >= MAX_LISTED) findings.unlisted++
  else findings.skipped.push({ reason, severity: SEVERITY[reason], offset, length, line })
}

export function addNote(findings: Findings, note: LogNote): void {
  if (findings.notes.length >= MAX_LISTED) findings.unlisted++
  else findings.notes.push(note)
}
