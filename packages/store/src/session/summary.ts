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
  /** Set when the file could not be read at all. */
  readonly problem?: string
}

type Draft = { -readonly [K in keyof SessionSummary]: SessionSummary[K] }

const CHUNK_BYTES = 1024 * 1024
const LINE_END = 0x0a
const MESSAGE = Buffer.from('{"type":"message"')
const USER = Buffer.from('"message":{"role":"user"')
const NAME = Buffer.from('{"type":"session_info"')
/** Head fields are looked for this far into a line; a line that hides them further on is parsed. */
const HEAD_BYTES = 512
const MAX_PROMPT_CHARS = 400
const TIMESTAMP = /"timestamp":"([^"\\]{1,40})"/

let chunk: Buffer | undefined

/** One pass over the file without parsing bodies: only the header, the first prompt and names are read as JSON. */
export function summariseLog(storage: SessionStorage, path: string): SessionSummary {
  const summary: Draft = emptySummary(path)
  let file: StorageReader | undefined
  try {
    file = storage.openReader(path)
    summary.sizeBytes = file.statSync().size
    readLines(
      file,
      summary.sizeBytes,
      (line) => takeLine(summary, line),
      (last) => takeTime(summary, last),
    )
  } catch (error) {
    summary.problem = error instanceof Error ? error.message : String(error)
  } finally {
    file?.closeSync()
  }
  return summary
}

function takeLine(summary: Draft, line: Buffer): void {
  if (line.length < 2) return
  if (summary.id === undefined && summary.entryCount === 0 && takeHeader(summary, line)) return
  summary.entryCount++
  if (startsWith(line, MESSAGE)) {
    summary.messageCount++
    if (summary.firstPrompt === undefined && line.subarray(0, HEAD_BYTES).includes(USER)) takePrompt(summary, line)
  } else if (startsWith(line, NAME)) takeName(summary, line)
}

function takeHeader(summary: Draft, line: Buffer): boolean {
  const value = parse(line) as Partial<SessionHeader> | Partial<TitleSlot> | undefined
  if (value?.type === 'title') {
    if (typeof value.title === 'string' && value.title !== '') summary.name = value.title
    return true
  }
  if (value?.type !== 'session' || typeof value.id !== 'string') return false
  summary.id = value.id
  summary.cwd = asText(value.cwd)
  summary.parentSession = asText(value.parentSession)
  summary.createdAt = asText(value.timestamp)
  summary.lastActiveAt = summary.createdAt
  summary.name ??= asText(value.title)
  return true
}

function takePrompt(summary: Draft, line: Buffer): void {
  const entry = parse(line) as Entry | undefined
  const text = entry === undefined ? '' : textOf(entry)
  if (text.trim() !== '') summary.firstPrompt = text.slice(0, MAX_PROMPT_CHARS).toWellFormed()
}

function takeName(summary: Draft, line: Buffer): void {
  const { name } = (parse(line) ?? {}) as { name?: unknown }
  if (typeof name === 'string') summary.name = name === '' ? undefined : name
}

function takeTime(summary: Draft, line: Buffer): void {
  const found = TIMESTAMP.exec(line.toString('latin1', 0, HEAD_BYTES))
  const stated = found?.[1] ?? (parse(line) as { timestamp?: unknown } | undefined)?.timestamp
  if (typeof stated === 'string') summary.lastActiveAt = stated
}

/**
 * Hands over each line without its end, and the last one of each chunk once more. The buffer is used again for the next
 * file: nothing may keep a line.
 */
function readLines(
  file: StorageReader,
  size: number,
  take: (line: Buffer) => void,
  takeLast: (line: Buffer) => void,
): void {
  chunk ??= Buffer.allocUnsafeSlow(CHUNK_BYTES)
  let held = chunk
  let kept = 0
  for (let position = 0; position < size; ) {
    if (kept === held.length) held = Buffer.concat([held], held.length * 2)
    const read = file.readSync(held.subarray(kept), position)
    if (read === 0) break
    position += read
    const end = kept + read
    const filled = held.subarray(0, end)
    let start = 0
    let last: Buffer | undefined
    for (let at = filled.indexOf(LINE_END); at >= 0; at = filled.indexOf(LINE_END, start)) {
      const line = filled.subarray(start, at)
      take(line)
      if (line.length > 1) last = line
      start = at + 1
    }
    if (last !== undefined) takeLast(last)
    held.copyWithin(0, start, end)
    kept = end - start
  }
  if (kept === 0) return
  take(held.subarray(0, kept))
  takeLast(held.subarray(0, kept))
}

function startsWith(line: Buffer, head: Buffer): boolean {
  return line.length >= head.length && line.compare(head, 0, head.length, 0, head.length) === 0
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

function emptySummary(path: string): Draft {
  return {
    path,
    id: undefined,
    cwd: undefined,
    parentSession: undefined,
    name: undefined,
    firstPrompt: undefined,
    createdAt: undefined,
    lastActiveAt: undefined,
    entryCount: 0,
    messageCount: 0,
    sizeBytes: 0,
  }
}
