import { type Entry, type SessionHeader, type TitleSlot, textOf } from '@treeline/core'
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
}

const CHUNK_BYTES = 1024 * 1024
/** Reading more than this takes long enough that others get their turn meanwhile. */
const LARGE_BYTES = 4 * CHUNK_BYTES
const HEADER_BYTES = 16 * 1024
const LINE_END = 0x0a
const MESSAGE = Buffer.from('{"type":"message"')
const USER = Buffer.from('"message":{"role":"user"')
const NAME = Buffer.from('{"type":"session_info"')
const TITLE = Buffer.from('{"type":"title_change"')
/** Head fields are looked for this far into a line; a line that hides them further on is parsed. */
const HEAD_BYTES = 512
const MAX_PROMPT_CHARS = 400
const TIMESTAMP = /"timestamp":"([^"\\]{1,40})"/

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
    if (draft.id !== undefined || draft.entryCount > 0) break
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

function finish({ title, given, ...draft }: Draft): SessionSummary {
  return { ...draft, name: given === undefined ? title : (given ?? undefined) }
}

/** The line is `bytes[start, end)`: most lines are looked at for a few bytes, which needs no object. */
function takeLine(summary: Draft, bytes: Buffer, start: number, end: number): void {
  if (end - start < 2) return
  if (summary.id === undefined && summary.entryCount === 0 && takeHeader(summary, bytes.subarray(start, end))) return
  summary.entryCount++
  if (hasAt(bytes, start, end, MESSAGE)) {
    summary.messageCount++
    if (summary.firstPrompt !== undefined) return
    const line = bytes.subarray(start, end)
    if (line.subarray(0, HEAD_BYTES).includes(USER)) takePrompt(summary, line)
  } else if (hasAt(bytes, start, end, NAME) || hasAt(bytes, start, end, TITLE)) {
    takeName(summary, bytes.subarray(start, end))
  }
}

function takeHeader(summary: Draft, line: Buffer): boolean {
  const value = parse(line) as Partial<SessionHeader> | Partial<TitleSlot> | undefined
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
  const text = entry === undefined ? '' : textOf(entry)
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

function takeTime(summary: Draft, line: Buffer): void {
  const found = TIMESTAMP.exec(line.toString('latin1', 0, HEAD_BYTES))
  const stated = found?.[1] ?? (parse(line) as { timestamp?: unknown } | undefined)?.timestamp
  // A fork's lines are older than itself.
  if (typeof stated === 'string' && stated >= (summary.createdAt ?? '')) summary.lastActiveAt = stated
}

/** Takes what a chunk says, then lets the caller go on or not. The buffer is used again: nothing may keep a line. */
function* readLines(file: StorageReader, summary: Draft, buffer: Buffer): Generator<void> {
  let held = buffer
  let kept = 0
  for (let position = 0; position < summary.sizeBytes; ) {
    if (kept === held.length) held = Buffer.concat([held], held.length * 2)
    const read = file.readSync(held.subarray(kept), position)
    if (read === 0) break
    position += read
    const filled = held.subarray(0, kept + read)
    let start = 0
    let last = 0
    let lastEnd = 0
    for (let at = filled.indexOf(LINE_END); at >= 0; at = filled.indexOf(LINE_END, start)) {
      takeLine(summary, filled, start, at)
      if (at - start > 1) {
        last = start
        lastEnd = at
      }
      start = at + 1
    }
    if (lastEnd > last) takeTime(summary, filled.subarray(last, lastEnd))
    kept = filled.length - start
    held.copyWithin(0, start, filled.length)
    yield
  }
  if (kept === 0) return
  takeLine(summary, held, 0, kept)
  takeTime(summary, held.subarray(0, kept))
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
  }
}
