import { type Dialect, detectDialect, Kind, kindOf, type TitleSlot } from '@treeline/core'
import type { Sample } from './sample.ts'

type Fields = Readonly<Record<string, unknown>>

/** Records that may stand before a header that is still believed: what a crash or another tool left there. */
const MAX_BEFORE_HEADER = 8
/** A header whose end is missing, or is no JSON, at the beginning of a line. */
const TORN_HEADER = /^\{"type":"session",/m

/**
 * How sure it is that a file is a log of the Pi family, and which tool's. Without a header that can be read a log is known
 * by its entries, so that damage hides no good lines (I3).
 */
export function recogniseLog(sample: Sample): { readonly sureness: number; readonly dialect: Dialect } {
  const { records } = sample
  const titleSlot = records.find(isTitleSlot)
  const before = records.slice(0, MAX_BEFORE_HEADER)
  const header = before.find(isHeader) ?? before.find((record) => record.type === 'session')
  const kinds = new Set(records.map(kindOfRecord))
  const isOurs = header !== undefined && typeof header.crc === 'string'
  return {
    sureness: surenessOf(sample, header, titleSlot),
    dialect: detectDialect(header, titleSlot as TitleSlot | undefined, kinds, isOurs),
  }
}

function surenessOf({ text, records }: Sample, header: Fields | undefined, titleSlot: Fields | undefined): number {
  if (header !== undefined && isHeader(header)) {
    // A header of this family above another tool's messages: whoever knows those is surer.
    if (!saysOwn(records)) return 0.85
    return header === records.find((one) => one !== titleSlot) ? 1 : 0.95
  }
  if (titleSlot !== undefined && titleSlot === records[0]) return 0.9
  const entries = records.filter(isEntry)
  // Entries of no type that this family has may be anybody's.
  const share = entries.some(isOfKnownType) ? entries.length / records.length : 0
  // Other formats have records of their own and are surer of them than this.
  const byEntries = share > 0.5 ? 0.4 + 0.3 * share : 0
  return Math.max(byEntries, header !== undefined || TORN_HEADER.test(text) ? 0.5 : 0)
}

/** Whether there are no messages yet, or some are where this family puts them. */
function saysOwn(records: readonly Fields[]): boolean {
  const messages = records.filter(({ type }) => type === 'message')
  return messages.length === 0 || messages.some(({ message }) => message !== undefined)
}

function isHeader({ type, id }: Fields): boolean {
  return type === 'session' && typeof id === 'string' && id !== ''
}

function isTitleSlot({ type, v, title }: Fields): boolean {
  return type === 'title' && typeof v === 'number' && typeof title === 'string'
}

/** Times are texts here; formats that count milliseconds are others. Version 1 has neither ids nor parents. */
function isEntry({ type, id, parentId, timestamp, message, uuid }: Fields): boolean {
  if (typeof type !== 'string' || typeof timestamp !== 'string' || uuid !== undefined) return false
  const hasParent = parentId === null || typeof parentId === 'string'
  return typeof id === 'string' ? hasParent : type === 'message' && hasRole(message)
}

function isOfKnownType(record: Fields): boolean {
  const kind = kindOfRecord(record)
  return kind === Kind.message ? hasRole(record.message) : kind !== Kind.other
}

function hasRole(message: unknown): boolean {
  return typeof message === 'object' && message !== null && typeof (message as Fields).role === 'string'
}

function kindOfRecord({ type, customType }: Fields): Kind {
  return kindOf(typeof type === 'string' ? type : '', customType)
}
