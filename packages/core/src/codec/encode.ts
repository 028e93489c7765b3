import type { Entry, SessionHeader } from '../entry/entry.ts'
import { TreelineError } from '../errors.ts'
import { MAX_DEPTH } from './depth.ts'
import { MAX_LINE_BYTES } from './parse.ts'
import { type Crc32, sealInPlace, TAIL_BYTES } from './seal.ts'

const encoder = new TextEncoder()
const ENTRY_HEAD = ['type', 'id', 'parentId', 'timestamp', 'customType', 'message']
const HEADER_HEAD = ['type', 'version', 'id', 'timestamp', 'cwd']

/**
 * One line of the log, ready to append: the entry as JSON, head first, checksummed (I1), with its line end. A `crc` field
 * the entry may carry is recomputed. Throws `invalid_entry` for what JSON cannot carry or readers could not bear, and
 * `payload_too_large` for what no reader would take for one line.
 */
export function encodeLine(entry: Entry, crc32?: Crc32, prepared?: PreparedMessages): Uint8Array<ArrayBuffer> {
  const subject = (): string => `Entry ${String(entry.id)}`
  const text = prepared === undefined ? undefined : prepareLine(entry, prepared)
  if (text !== undefined) return encodeText(text, subject, crc32)
  return encode(isHeadFirst(entry) ? entry : headFirst(entry), subject, crc32)
}

/** Messages whose JSON is known already. Whoever keeps them sees to it that a message is not changed afterwards. */
export interface PreparedMessages {
  get(message: object): string | undefined
}

/**
 * The JSON of a message as a line will hold it, made ahead of time; nothing for one that needs a closer look, as one does
 * that has any of the `unfit` keys anywhere.
 */
export function prepareMessage(message: unknown, unfit = NO_KEYS): string | undefined {
  const isFit = typeof message === 'object' && message !== null && !Array.isArray(message)
  return isFit && isPlainJson(message, MAX_DEPTH - 1, unfit) ? tryStringify(message) : undefined
}

/** Nothing for what is longer than any string can be. */
function tryStringify(value: object): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const NO_KEYS: ReadonlySet<string> = new Set()

/** An entry that is a head and a prepared message and nothing else. */
function prepareLine(entry: Entry, prepared: PreparedMessages): string | undefined {
  const { type, id, parentId, timestamp, message } = entry
  if (typeof message !== 'object' || message === null || Object.keys(entry).length !== 5) return undefined
  const text = prepared.get(message)
  if (text === undefined) return undefined
  const head = JSON.stringify({ type, id, parentId, timestamp })
  return `${head.slice(0, -1)},"message":${text}}`
}

/** The first line of a log. */
export function encodeHeader(header: SessionHeader, crc32?: Crc32): Uint8Array<ArrayBuffer> {
  return encode(reorder(header, HEADER_HEAD), () => `The header of session ${String(header.id)}`, crc32)
}

/** The same entry with its head in front, so that a scan takes it from the first bytes. The other keys keep their order. */
export function headFirst<T extends Entry>(entry: T): T {
  return reorder(entry, ENTRY_HEAD)
}

function reorder<T extends object>(object: T, head: readonly string[]): T {
  const source = object as Record<string, unknown>
  const ordered: Record<string, unknown> = {}
  for (const key of head) if (Object.hasOwn(source, key)) ordered[key] = source[key]
  // Spread defines own properties, so a key named `__proto__` stays data.
  return { ...ordered, ...source } as T
}

/** As nearly every new entry is: nothing to reorder, no checksum to take off. */
function isHeadFirst(entry: Entry): boolean {
  const keys = Object.keys(entry)
  if (keys[0] !== 'type' || keys[1] !== 'id' || keys[2] !== 'parentId' || keys[3] !== 'timestamp') return false
  for (let i = 4; i < keys.length; i++) {
    const key = keys[i]
    if (key === 'crc' || (i > 4 && (key === 'message' || key === 'customType'))) return false
  }
  return true
}

/** Lines are made here before they are copied out; one long line does not make us hold on to its size for ever. */
let scratch = new Uint8Array(64 * 1024)
const MAX_SCRATCH_BYTES = 4 * 1024 * 1024

function encode(object: object, subject: () => string, crc32?: Crc32): Uint8Array<ArrayBuffer> {
  let fields = object as Record<string, unknown>
  if ('crc' in fields) {
    const { crc: _recomputed, ...others } = fields
    fields = others
  }
  if (typeof fields.type !== 'string') throw invalid(subject(), 'has no type', 'Give it a string `type`')
  if (!isPlainJson(fields, MAX_DEPTH, NO_KEYS)) checkCarries(fields, subject())
  return encodeText(tryStringify(fields), subject, crc32)
}

function encodeText(text: string | undefined, subject: () => string, crc32?: Crc32): Uint8Array<ArrayBuffer> {
  if (text === undefined || text.length + TAIL_BYTES > MAX_LINE_BYTES) throw tooLong(subject())
  const needed = text.length * 3 + TAIL_BYTES + 1
  if (needed > scratch.length) scratch = new Uint8Array(needed)
  const { written } = encoder.encodeInto(text, scratch)
  const isTooLong = written + TAIL_BYTES > MAX_LINE_BYTES
  const line = isTooLong ? undefined : scratch.slice(0, sealInPlace(scratch, written - 1, crc32))
  if (scratch.length > MAX_SCRATCH_BYTES) scratch = new Uint8Array(64 * 1024)
  if (line === undefined) throw tooLong(subject())
  return line
}

/** True for what JSON carries as it is: most entries need no closer look. Descends `limit` levels at most. */
function isPlainJson(value: object, limit: number, unfit: ReadonlySet<string>): boolean {
  if (limit === 0 || 'toJSON' in value) return false
  if (Array.isArray(value)) return value.every((child) => isCarried(child) || isPlainChild(child, limit, unfit))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  for (const key in value) {
    const child = (value as Record<string, unknown>)[key]
    if (unfit.has(key) || (!isCarried(child) && !isPlainChild(child, limit, unfit))) return false
  }
  return true
}

function isPlainChild(child: unknown, limit: number, unfit: ReadonlySet<string>): boolean {
  return typeof child === 'object' && child !== null && isPlainJson(child, limit - 1, unfit)
}

interface Pending {
  readonly value: unknown
  readonly key: string
  readonly holder: Pending | undefined
  readonly depth: number
}

/** Refuses what `JSON.stringify` would drop, hang on or overflow with. Walks with a list of its own, never by recursion. */
function checkCarries(root: object, subject: string): void {
  const pending: Pending[] = [{ value: root, key: '', holder: undefined, depth: 1 }]
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { value, depth } = item
    if (typeof value === 'object' && value !== null) {
      if (depth > MAX_DEPTH) throw tooDeep(item, subject)
      if (isLeaf(value)) continue
      if (!isPlain(value)) throw notJson(item, subject, `a ${value.constructor?.name ?? 'foreign'} object`)
      for (const [key, child] of Object.entries(value)) {
        if (isCarried(child)) continue
        pending.push({ value: child, key, holder: item, depth: depth + 1 })
      }
    } else throw notJson(item, subject, `a ${typeof value}`)
  }
}

/** Numbers that JSON has no form for become null, and undefined members vanish, as everywhere in JavaScript. */
function isCarried(value: unknown): boolean {
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' || type === 'undefined' || value === null
}

/** A date or URL, which stringifies itself. */
function isLeaf(value: object): boolean {
  const { toJSON } = value as { toJSON?: unknown }
  return typeof toJSON === 'function' && !Object.hasOwn(value, 'toJSON') && isCarried(toJSON.call(value))
}

/** Arrays and plain objects, also those of another realm. */
function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function tooDeep(item: Pending, subject: string): TreelineError {
  const above = new Set<unknown>()
  for (let holder = item.holder; holder !== undefined; holder = holder.holder) above.add(holder.value)
  return above.size < item.depth - 1 || above.has(item.value)
    ? invalid(subject, 'contains itself', 'Store a copy without the cycle')
    : invalid(subject, `is nested deeper than ${MAX_DEPTH} levels`, 'Flatten it, or store the value as text')
}

function notJson(item: Pending, subject: string, what: string): TreelineError {
  const path: string[] = []
  for (let at: Pending | undefined = item; at?.holder !== undefined; at = at.holder) path.unshift(at.key)
  return invalid(subject, `holds ${what} at ${path.join('.')}, which JSON cannot carry`, 'Store plain JSON values only')
}

function tooLong(subject: string): TreelineError {
  const message = `${subject} is longer than ${MAX_LINE_BYTES} bytes as one line. Say it in several entries.`
  return new TreelineError('payload_too_large', message)
}

function invalid(subject: string, problem: string, remedy: string): TreelineError {
  return new TreelineError('invalid_entry', `${subject} ${problem}. ${remedy}.`)
}
