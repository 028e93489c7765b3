import { type Entry, Heads, Kind, type SessionHeader, scanLog, type TitleSlot, textOf } from '@treeline/core'
import type { SessionStorage, StorageReader } from '../storage/storage.ts'

/** What a list shows of a session, from its file alone. */
export interface SessionSummary {
  readonly path: string
  /** Absent when the header cannot be read; the session is listed all the same (I7). */
  readonly id: string | undefined
  readonly cwd: string | undefined
  readonly parentSession: string | undefined
  readonly name: string | undefined
  readonly firstPrompt: string | undefined
  readonly createdAt: string | undefined
  /** Time of the last line that has one (X72). */
  readonly lastActiveAt: string | undefined
  readonly entryCount: number
  readonly messageCount: number
  readonly sizeBytes: number
  /** Set when the file, or the folder at `path`, could not be read at all. */
  readonly problem?: string
}

type Draft = { -readonly [K in keyof Omit<SessionSummary, 'name'>]: SessionSummary[K] } & {
  /** What the header says. */
  title: string | undefined
  /** What lines below it say: `null` when the name was cleared, `undefined` when they give none. */
  given: string | null | undefined
  /** How many lines came before a header that were none. */
  linesBefore: number
}

const CHUNK_BYTES = 1024 * 1024
/** Reading more than this takes long enough that others get their turn meanwhile. */
const LARGE_BYTES = 4 * CHUNK_BYTES
const HEADER_BYTES = 16 * 1024
const LINE_END = 0x0a
const SPACE = 0x20
/** A header is looked for behind so many lines that are neither it nor an entry. */
const MAX_LINES_BEFORE = 64
const MESSAGE = Buffer.from('{"type":"message"')
const USER = Buffer.from('"message":{"role":"user"')
const USER_ROLE = Buffer.from('"role":"user"')
const NAME = Buffer.from('{"type":"session_info"')
const TITLE = Buffer.from('{"type":"title_change"')
/** Head fields are looked for this far into a line; a line that hides them further on is parsed. */
const HEAD_BYTES = 512
const MAX_PROMPT_CHARS = 400
/** Of a head as tools write it; a field of that name further in is not the time of the line. */
const TIMESTAMP = /^\{"type":"[^"\\]*"(?:,"(?:id|parentId)":(?:null|"[^"\\]*"))*,"timestamp":"([^"\\]{1,40})"/
/** A longer line is counted by its beginning and passed over. */
const MAX_LINE_BYTES = 64 * 1024 * 1024

let sharedChunk: Buffer | undefined

/** One pass over the file without parsing bodies: only the header, the first prompt and names are read as JSON. */
export async function summariseLog(storage: SessionStorage, path: string): Promise<SessionSummary> {
  const draft = emptyDraft(path)
  const isLarge = () => draft.sizeBytes > LARGE_BYTES
  const bufferFor = () => (isLarge() ? Buffer.allocUnsafeSlow(CHUNK_BYTES) : takeSharedChunk())
  for (const _ of readFile(storage, draft, bufferFor)) if (isLarge()) await new Promise(setImmediate)
  return finish(draft)
}

/** The id a list gives a file, without reading more of it than that takes. */
export function readListedId(storage: SessionStorage, path: string): string | undefined {
  const draft = emptyDraft(path)
  for (const _ of readFile(storage, draft, () => Buffer.alloc(HEADER_BYTES))) {
    if (draft.id !== undefined || !expectsHeader(draft)) break
  }
  return draft.id
}

/** For whoever is done with it before anybody else has a turn. */
function takeSharedChunk(): Buffer {
  sharedChunk ??= Buffer.allocUnsafeSlow(CHUNK_BYTES)
  return sharedChunk
}

/** Stands for what is in a folder that cannot be read. */
export function unreadableFolder(path: string, error: unknown): SessionSummary {
  return finish({ ...emptyDraft(path), problem: messageOf(error) })
}

/** Reads on as long as the caller does; the file is closed when either ends. What cannot be read is said in the draft. */
function* readFile(storage: SessionStorage, draft: Draft, bufferFor: () => Buffer): Generator<void> {
  let file: StorageReader | undefined
  try {
    file = storage.openReader(draft.path)
    draft.sizeBytes = file.statSync().size
    yield* readLines(file, draft, bufferFor())
  } catch (error) {
    draft.problem = messageOf(error)
  } finally {
    file?.closeSync()
  }
}

function finish({ title, given, linesBefore: _, ...draft }: Draft): SessionSummary {
  return { ...draft, name: given === undefined ? title : (given ?? undefined) }
}

/** The line is `bytes[start, end)`: most lines are looked at for a few bytes, which needs no object. */
function takeLine(summary: Draft, bytes: Buffer, start: number, end: number): void {
  if (isBlank(bytes, start, end)) return
  if (expectsHeader(summary) && takeHeaderLine(summary, bytes.subarray(start, end))) return
  summary.entryCount++
  if (hasAt(bytes, start, end, MESSAGE)) {
    summary.messageCount++
    if (summary.firstPrompt !== undefined) return
    const line = bytes.subarray(start, end)
    // The role may come behind what is said, and texts may quote one.
    if (line.subarray(0, HEAD_BYTES).includes(USER) || line.includes(USER_ROLE)) takePrompt(summary, line)
  } else if (hasAt(bytes, start, end, NAME) || hasAt(bytes, start, end, TITLE)) {
    takeName(summary, bytes.subarray(start, end))
  }
}

/** Of a line that is not read whole. */
function takeBeginning(summary: Draft, bytes: Buffer): void {
  if (isBlank(bytes, 0, bytes.length)) return
  if (expectsHeader(summary)) summary.linesBefore++
  summary.entryCount++
  if (hasAt(bytes, 0, bytes.length, MESSAGE)) summary.messageCount++
  const stated = TIMESTAMP.exec(bytes.toString('latin1', 0, HEAD_BYTES))?.[1]
  if (stated !== undefined && !isBefore(stated, summary.createdAt)) summary.lastActiveAt = stated
}

function expectsHeader({ id, linesBefore }: Draft): boolean {
  return id === undefined && linesBefore < MAX_LINES_BEFORE
}

/** False when it is an entry: then no header follows. */
function takeHeaderLine(summary: Draft, line: Buffer): boolean {
  if (takeHeader(summary, parse(line))) return true
  // Not as tools write it: what else stands on its line, or is wrong with it, is seen as it is by whoever opens the log.
  const heads = new Heads(1)
  const { header, titleSlot } = scanLog(line, { heads, expectsHeader: true })
  takeHeader(summary, titleSlot?.value)
  if (header === undefined && heads.count > 0) {
    summary.linesBefore = MAX_LINES_BEFORE
    return false
  }
  takeHeader(summary, header?.value)
  summary.linesBefore++
  summary.entryCount += heads.count
  for (let row = 0; row < heads.count; row++) if (heads.kind[row] === Kind.message) summary.messageCount++
  return true
}

function takeHeader(summary: Draft, found: unknown): boolean {
  const value = found as Partial<SessionHeader> | Partial<TitleSlot> | undefined
  if (value?.type === 'title') {
    if (typeof value.title === 'string' && value.title !== '') summary.title = value.title
    return true
  }
  if (value?.type !== 'session' || typeof value.id !== 'string') return false
  summary.id = value.id
  summary.cwd = asText(value.cwd)
  summary.parentSession = asText(value.parentSession)
  summary.createdAt = asText(value.timestamp)
  summary.lastActiveAt = summary.createdAt
  summary.title ??= asText(value.title)
  return true
}

function takePrompt(summary: Draft, line: Buffer): void {
  const entry = parse(line) as Entry | undefined
  if ((entry?.message as { role?: unknown } | undefined)?.role !== 'user') return
  const text = textOf(entry as Entry)
  if (text.trim() !== '') summary.firstPrompt = text.slice(0, MAX_PROMPT_CHARS).toWellFormed()
}

function takeName(summary: Draft, line: Buffer): void {
  const entry = parse(line) as { type: string; name?: unknown; title?: unknown } | undefined
  if (entry === undefined) return
  const isTitle = entry.type === 'title_change'
  const name = isTitle ? entry.title : entry.name
  // As core reads them: a line that names nothing takes a name back, an empty name clears it.
  summary.given = name === undefined && !isTitle ? undefined : asText(name)?.trim() || null
}

/** That of the last line that has one: a blank or damaged one says nothing of when somebody was here. */
function takeTime(summary: Draft, lines: Buffer): void {
  for (let end = lines.length; end > 0; ) {
    const start = end === 1 ? 0 : lines.lastIndexOf(LINE_END, end - 2) + 1
    const stated = isBlank(lines, start, end) ? undefined : timeOf(lines.subarray(start, end))
    if (stated !== undefined) {
      // A fork's lines are older than itself.
      if (!isBefore(stated, summary.createdAt)) summary.lastActiveAt = stated
      return
    }
    end = start
  }
}

/** As text they may be of other zones; what is no time is compared as text. */
function isBefore(one: string, other = ''): boolean {
  const [a, b] = [Date.parse(one), Date.parse(other)]
  return Number.isNaN(a) || Number.isNaN(b) ? one < other : a < b
}

function timeOf(line: Buffer): string | undefined {
  const found = TIMESTAMP.exec(line.toString('latin1', 0, HEAD_BYTES))
  const stated = found?.[1] ?? (parse(line) as { timestamp?: unknown } | null | undefined)?.timestamp
  return typeof stated === 'string' && stated !== '' ? stated : undefined
}

/** Takes what a chunk says, then lets the caller go on or not. The buffer is used again: nothing may keep a line. */
function* readLines(
  file: StorageReader,
  summary: Draft,
  buffer: Buffer,
  maxLineBytes = MAX_LINE_BYTES,
): Generator<void> {
  let held = buffer
  let kept = 0
  /** In a line of which enough was seen. */
  let isPassing = false
  for (let position = 0; position < summary.sizeBytes; ) {
    if (kept === held.length) {
      if (held.length < maxLineBytes) held = Buffer.concat([held], held.length * 2)
      else {
        if (!isPassing) takeBeginning(summary, held)
        isPassing = true
        kept = 0
      }
    }
    const read = file.readSync(held.subarray(kept), position)
    if (read === 0) break
    position += read
    const filled = held.subarray(0, kept + read)
    let start = 0
    if (isPassing) {
      start = filled.indexOf(LINE_END) + 1
      isPassing = start === 0
      if (isPassing) start = filled.length
    }
    const first = start
    for (let at = filled.indexOf(LINE_END, start); at >= 0; at = filled.indexOf(LINE_END, start)) {
      takeLine(summary, filled, start, at)
      start = at + 1
    }
    takeTime(summary, filled.subarray(first, start))
    kept = filled.length - start
    held.copyWithin(0, start, filled.length)
    yield
  }
  if (kept === 0) return
  takeLine(summary, held, 0, kept)
  takeTime(summary, held.subarray(0, kept))
}

/** As core has it: white space is no line, and neither are the zeros that a crash leaves. */
function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! > SPACE) return false
  return true
}

function hasAt(bytes: Buffer, start: number, end: number, head: Buffer): boolean {
  if (end - start < head.length) return false
  for (let i = 0; i < head.length; i++) if (bytes[start + i] !== head[i]) return false
  return true
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString().replace(/^\uFEFF/, ''))
  } catch {
    // A damaged line is counted; what is in it is doctor's business.
    return undefined
  }
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function emptyDraft(path: string): Draft {
  return {
    path,
    id: undefined,
    cwd: undefined,
    parentSession: undefined,
    title: undefined,
    given: undefined,
    firstPrompt: undefined,
    createdAt: undefined,
    lastActiveAt: undefined,
    entryCount: 0,
    messageCount: 0,
    sizeBytes: 0,
    linesBefore: 0,
  }
}
