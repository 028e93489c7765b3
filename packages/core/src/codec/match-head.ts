import { Kind, kindOf, Role, roleOf, treeReadsBody } from '../entry/kind.ts'
import { type Heads, ParentForm } from './heads.ts'
import { ISO_BYTES, parseIsoMs } from './timestamp.ts'
import { hasText, type Text, textOf, type Window } from './window.ts'

/**
 * The head of a line in its usual shape, `{"type":"…","id":"…","parentId":null|"…","timestamp":"…"` and for messages
 * `,"message":{"role":"…"`, taken from the bytes. One object is filled again and again: a scan makes no garbage.
 */
export interface HeadMatch {
  kind: Kind
  role: Role
  idStart: number
  idEnd: number
  parentForm: number
  parentStart: number
  parentEnd: number
  timeMs: number
  /** The quote that ends the head: what follows it is unknown. */
  end: number
}

export function createHeadMatch(): HeadMatch {
  return {
    kind: Kind.other,
    role: Role.none,
    idStart: 0,
    idEnd: 0,
    parentForm: ParentForm.missing,
    parentStart: 0,
    parentEnd: 0,
    timeMs: Number.NaN,
    end: 0,
  }
}

/** What stands between the names and ids of a head. */
export const HEAD_TEXTS = {
  type: '{"type":"',
  id: '","id":"',
  parent: '","parentId":',
  timestamp: '","timestamp":"',
  role: '","message":{"role":"',
  customType: '","customType":"',
} as const
/** What a root has in place of its parent's id, and what follows. */
export const NO_PARENT = 'null,"timestamp":"'
const TYPE = textOf(HEAD_TEXTS.type)
const ID = textOf(HEAD_TEXTS.id)
const PARENT = textOf(HEAD_TEXTS.parent)
const ROOT = textOf(`${HEAD_TEXTS.parent}${NO_PARENT}`)
const TIMESTAMP = textOf(HEAD_TEXTS.timestamp)
const MESSAGE_ROLE = textOf(HEAD_TEXTS.role)
const CUSTOM_TYPE = textOf(HEAD_TEXTS.customType)
const SESSION = textOf('session')
const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Longer names and ids are legal and rare: they are parsed. */
const MAX_NAME_BYTES = 256

/** Names by their length. */
type Names = readonly (readonly { readonly text: Text; readonly code: number }[])[]
const KINDS = tableOf(Object.keys(Kind), (name) => kindOf(name))
const ROLES = tableOf([...Object.keys(Role), 'hookMessage'], roleOf)

/**
 * Fills `match` when the line at `start` has a familiar head and is of a kind the tree needs no body of. False means
 * parse it; nothing is wrong with the line. Matches only what `JSON.parse` would read the same way.
 */
export function matchHead(window: Window, start: number, match: HeadMatch): boolean {
  const { bytes, view } = window
  if (!hasText(view, start, TYPE)) return false
  const typeStart = start + TYPE.length
  const typeEnd = findQuote(bytes, typeStart)
  if (!hasText(view, typeEnd, ID)) return false
  match.idStart = typeEnd + ID.length
  match.idEnd = findQuote(bytes, match.idStart)
  if (match.idEnd === match.idStart || !hasText(view, match.idEnd, PARENT)) return false
  const parentAt = match.idEnd + PARENT.length
  let timeStart: number
  if (bytes[parentAt] === QUOTE) {
    match.parentForm = ParentForm.id
    match.parentStart = parentAt + 1
    match.parentEnd = findQuote(bytes, match.parentStart)
    if (!hasText(view, match.parentEnd, TIMESTAMP)) return false
    timeStart = match.parentEnd + TIMESTAMP.length
  } else {
    if (!hasText(view, match.idEnd, ROOT)) return false
    match.parentForm = ParentForm.root
    match.parentStart = match.parentEnd = parentAt
    timeStart = match.idEnd + ROOT.length
  }
  let timeEnd = timeStart + ISO_BYTES
  match.timeMs = bytes[timeEnd] === QUOTE ? parseIsoMs(bytes, timeStart) : Number.NaN
  if (Number.isNaN(match.timeMs)) {
    timeEnd = findQuote(bytes, timeStart)
    if (timeEnd < 0) return false
    match.timeMs = Date.parse(readAscii(bytes, timeStart, timeEnd))
  }
  match.end = timeEnd
  return matchKind(window, typeStart, typeEnd, timeEnd, match)
}

function matchKind(window: Window, typeStart: number, typeEnd: number, at: number, match: HeadMatch): boolean {
  const { bytes, view } = window
  match.kind = findName(KINDS, view, typeStart, typeEnd, Kind.other) as Kind
  match.role = Role.none
  if (match.kind === Kind.message) {
    if (!hasText(view, at, MESSAGE_ROLE)) return false
    const roleStart = at + MESSAGE_ROLE.length
    const roleEnd = findQuote(bytes, roleStart)
    if (roleEnd < 0) return false
    match.role = findName(ROLES, view, roleStart, roleEnd, Role.other) as Role
    match.end = roleEnd
    return true
  }
  if (match.kind === Kind.custom) {
    if (!hasText(view, at, CUSTOM_TYPE)) return false
    const customStart = at + CUSTOM_TYPE.length
    const customEnd = findQuote(bytes, customStart)
    if (customEnd < 0) return false
    match.kind = kindOf('custom', readAscii(bytes, customStart, customEnd))
    match.end = customEnd
  }
  // Whether it names a role stands anywhere in the line, which is short.
  if (match.kind === Kind.model_change) return false
  // A header never is an entry, however much it looks like one.
  const isHeader = typeEnd - typeStart === SESSION.length && hasText(view, typeStart, SESSION)
  return !isHeader && !treeReadsBody(match.kind)
}

/** Adds the matched head as a row. */
export function writeRow(
  heads: Heads,
  bytes: Uint8Array,
  match: HeadMatch,
  offset: number,
  length: number,
  line: number,
): void {
  const row = heads.reserveRow()
  heads.writePlace(row, match, offset, length, line)
  const fresh = row - heads.savedRows
  heads.parentForm[fresh] = match.parentForm
  heads.reserveIdBytes(match.idEnd - match.idStart + match.parentEnd - match.parentStart)
  const { idBytes } = heads
  let to = heads.idByteCount
  for (let at = match.idStart; at < match.idEnd; at++) idBytes[to++] = bytes[at]!
  heads.idEnd[fresh * 2] = to
  for (let at = match.parentStart; at < match.parentEnd; at++) idBytes[to++] = bytes[at]!
  heads.idEnd[fresh * 2 + 1] = to
  heads.idByteCount = to
}

/** The closing quote of a string of plain ASCII; -1 when the string holds an escape or anything that needs decoding. */
function findQuote(bytes: Uint8Array, start: number): number {
  const limit = Math.min(bytes.length, start + MAX_NAME_BYTES)
  for (let at = start; at < limit; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) return at
    if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return -1
  }
  return -1
}

function readAscii(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end))
}

function findName(names: Names, view: DataView, start: number, end: number, unknown: number): number {
  const sameLength = names[end - start]
  if (sameLength === undefined) return unknown
  for (const name of sameLength) if (hasText(view, start, name.text)) return name.code
  return unknown
}

function tableOf(names: readonly string[], codeOf: (name: string) => number): Names {
  const table: { text: Text; code: number }[][] = []
  for (const name of names) {
    table[name.length] ??= []
    table[name.length]!.push({ text: textOf(name), code: codeOf(name) })
  }
  return table
}
