import type { Entry, EntryId, SessionHeader, TitleSlot } from '../entry/entry.ts'
import { deriveEntryId } from './derive-entry-id.ts'

/** The version Treeline, Pi, xcsh and oh-my-pi write. Higher ones are read as this one. */
export const LOG_VERSION = 3

/** A good record of a log, before it is known to be a complete entry. */
export type RawRecord = Readonly<Record<string, unknown>>

/** Where a record stands. `record` counts the good records of the log: 0 is the header, 1 the first entry. */
export interface RecordPlace {
  readonly version: number
  readonly sessionId: string
  readonly record: number
  /** The entry record before this one; null for the first. */
  readonly previousRecord: number | null
  /** The previous entry's id if it brought its own; left out, it is derived from `previousRecord`. */
  readonly previousId?: EntryId
}

/** A missing version means 1 (S5). What cannot be compared (`"x"`) counts as current, as in every tool of the field. */
export function logVersion(header: { readonly version?: unknown } | undefined): number {
  if (header === undefined) return LOG_VERSION
  const stated = header.version ?? 1
  const version = typeof stated === 'number' || typeof stated === 'string' ? Number(stated) : Number.NaN
  return Number.isNaN(version) ? LOG_VERSION : version
}

/** Of any other, nobody can say what appending to it would mean. */
export function isKnownVersion(version: number): boolean {
  return version === 1 || version === 2 || version === LOG_VERSION
}

/**
 * Brings one record to version 3 without touching it (S14, S15). A record that needs nothing is returned as it is, so
 * its key order and unknown fields stay verbatim.
 */
export function upgradeEntry(raw: RawRecord, place: RecordPlace): Entry {
  const linear = place.version < 2
  const ownId = !linear && typeof raw.id === 'string' && raw.id !== '' ? raw.id : undefined
  const ownParent = !linear && (typeof raw.parentId === 'string' || raw.parentId === null) ? raw.parentId : undefined
  const message = place.version < LOG_VERSION ? renameHookMessage(raw.message) : raw.message
  if (ownId !== undefined && ownParent !== undefined && message === raw.message) return raw as Entry

  const hasIndex = linear && Object.hasOwn(raw, 'firstKeptEntryIndex')
  const rest: [string, unknown][] = []
  for (const [key, value] of Object.entries(raw)) {
    if (key === 'type' || key === 'id' || key === 'parentId' || key === 'timestamp') continue
    if (key === 'message') rest.push([key, message])
    else if (linear && key === 'firstKeptEntryIndex') rest.push(...firstKept(value, place))
    // An id from before ids were derived is nobody's: where an index says what is kept, it alone does.
    else if (hasIndex && key === 'firstKeptEntryId') continue
    else rest.push([key, value])
  }
  return Object.fromEntries([
    ['type', raw.type],
    ['id', ownId ?? deriveEntryId(place.sessionId, place.record)],
    ['parentId', ownParent === undefined ? idBefore(place) : ownParent],
    ['timestamp', raw.timestamp ?? ''],
    ...rest,
  ]) as Entry
}

/** Sets version 3 and takes over the title of oh-my-pi's slot, which wins over an older one in the header. */
export function upgradeHeader(header: SessionHeader, slot?: TitleSlot): SessionHeader {
  const title = slot !== undefined && typeof slot.title === 'string' && slot.title !== '' ? slot.title : undefined
  if (logVersion(header) >= LOG_VERSION && title === undefined) return header
  const version = logVersion(header) < LOG_VERSION ? { version: LOG_VERSION } : {}
  if (title === undefined) return { ...header, ...version }
  return { ...header, ...version, title, ...(slot?.source === undefined ? {} : { titleSource: slot.source }) }
}

export interface MigratedLog {
  readonly header: SessionHeader
  readonly entries: readonly Entry[]
  /** False when the log on disk is already what this says, whatever its title slot holds. */
  readonly changed: boolean
}

/** A whole log at once, for small logs and for writing the migrated file. A second header among the records is no entry. */
export function migrateLog(header: SessionHeader, records: readonly RawRecord[], slot?: TitleSlot): MigratedLog {
  const version = logVersion(header)
  const found = records.filter((raw) => raw.type !== 'session')
  const entries: Entry[] = []
  for (const [index, raw] of found.entries()) {
    const place = { version, sessionId: header.id, record: index + 1, previousRecord: index === 0 ? null : index }
    const previousId = entries.at(-1)?.id
    entries.push(upgradeEntry(raw, previousId === undefined ? place : { ...place, previousId }))
  }
  const changed = version < LOG_VERSION || entries.some((entry, index) => entry !== found[index])
  return { header: upgradeHeader(header, slot), entries, changed }
}

function idBefore({ sessionId, previousRecord, previousId }: RecordPlace): EntryId | null {
  if (previousRecord === null) return null
  return previousId ?? deriveEntryId(sessionId, previousRecord)
}

function renameHookMessage(message: unknown): unknown {
  const renamed = typeof message === 'object' && message !== null && 'role' in message && message.role === 'hookMessage'
  return renamed ? { ...message, role: 'custom' } : message
}

/** Index 0 is the header, and only records already passed can be kept: anything else keeps nothing. */
function firstKept(index: unknown, { sessionId, record }: RecordPlace): [string, unknown][] {
  const found = typeof index === 'number' && Number.isInteger(index) && index > 0 && index < record
  return found ? [['firstKeptEntryId', deriveEntryId(sessionId, index)]] : []
}
