import type { Entry } from '../entry/entry.ts'
import { CarriedLine } from './carried-line.ts'
import { addSkipped, type LogNote, type SkippedRange } from './findings.ts'
import { findLineEnd, type LineEnd } from './framing.ts'
import { headOf } from './head.ts'
import { Heads } from './heads.ts'
import type { LineScanner } from './line-scanner.ts'
import { createHeadMatch, matchHead, writeRow } from './match-head.ts'
import { type MessageHead, writeMessageRow } from './message-row.ts'
import { MAX_LINE_BYTES, type RecordCodec } from './parse.ts'
import { readLine } from './read-line.ts'
import { createFrame, type LogFrame, type LogRecord } from './record.ts'
import { SecondHeadSearch } from './second-head-search.ts'
import { openWindow, type Window } from './window.ts'

export interface ScanOptions {
  /** Columns to add rows to. */
  readonly heads?: Heads
  /** Where in the log the first chunk starts, when the lines before are known already. */
  readonly startOffset?: number
  /** Number of the first line, 1 by default. */
  readonly startLine?: number
  /** Whether the header is still to come. By default so at offset 0 only. */
  readonly expectsHeader?: boolean
  /** Lines longer than this are never parsed. */
  readonly maxLineBytes?: number
  /** Takes the usual lines of large chunks by WebAssembly: `openLineScanner`. */
  readonly openLines?: (() => LineScanner | undefined) | undefined
  /** From how many bytes on a chunk is large. */
  readonly largeBytes?: number
  /** For the lines that are parsed. */
  readonly codec?: RecordCodec | undefined
}

const CLOSE = 0x7d
const RETURN = 0x0d
/** Below this, setting up WebAssembly costs more than it saves; once it is, below this a call of it does. */
const MIN_FIRST_BYTES = 64 * 1024
const MIN_BYTES = 4096
/** After so many calls of it in a row that took no line, so many lines are read without asking it: a call costs some too. */
const VAIN_CALLS = 8
const LINES_WITHOUT = 16
/** How much is read at a time. */
const ROOM_BYTES = 512 * 1024
/** Indexes into one chunk stay small integers. */
const CHUNK_BYTES = 64 * 1024 * 1024
const NOTHING = new Uint8Array()

/**
 * Reads a log chunk by chunk and takes the head of each entry from its first bytes; bodies are not parsed. Lines of
 * unfamiliar shape, lines that look like more than one record, and a last line without line end are parsed, and then
 * mean what the decoder says. A familiar line whose body is damaged is noticed when the body is read, not here.
 *
 * @example
 * const scanner = new HeadScanner()
 * for await (const chunk of file) scanner.push(chunk)
 * scanner.end()
 */
export class HeadScanner {
  readonly heads: Heads
  /** Bytes taken so far, counted from the start of the log. */
  bytesSeen: number
  private readonly frame: LogFrame
  private readonly carried: CarriedLine
  private readonly maxLineBytes: number
  private readonly openLines: ScanOptions['openLines']
  private lines: LineScanner | undefined
  private largeBytes: number
  private readonly codec: RecordCodec | undefined
  private readonly match = createHeadMatch()
  private readonly found: LineEnd = { at: -1, suspicious: false }
  private readonly onEntry = (record: LogRecord): void => void this.heads.push(headOf(record))
  private lineStart: number
  private line: number

  constructor(options: ScanOptions = {}) {
    const { startOffset = 0, maxLineBytes = MAX_LINE_BYTES } = options
    this.heads = options.heads ?? new Heads()
    this.frame = createFrame(options.expectsHeader ?? startOffset === 0)
    this.carried = new CarriedLine(maxLineBytes)
    this.maxLineBytes = maxLineBytes
    this.openLines = options.openLines
    this.largeBytes = options.largeBytes ?? MIN_FIRST_BYTES
    this.codec = options.codec
    this.bytesSeen = startOffset
    this.lineStart = startOffset
    this.line = options.startLine ?? 1
  }

  get header(): LogRecord | undefined {
    return this.frame.header
  }

  get titleSlot(): LogRecord | undefined {
    return this.frame.titleSlot
  }

  get skipped(): readonly SkippedRange[] {
    return this.frame.skipped
  }

  get notes(): readonly LogNote[] {
    return this.frame.notes
  }

  /** Findings that were counted but not listed. */
  get unlisted(): number {
    return this.frame.unlisted
  }

  /** Where the first line without a line end starts: a later scan of what was appended goes on from here. */
  get resumeOffset(): number {
    return this.lineStart
  }

  /** The beginning of that line, as far as it was seen. Good until the next bytes come. */
  get openLine(): Uint8Array {
    return this.carried.length === 0 ? NOTHING : this.carried.first()
  }

  get resumeLine(): number {
    return this.line
  }

  /** Where to read the next chunk to, of which there may be so many bytes: pushed as one, it is not copied then. */
  room(bytesLeft: number): Uint8Array {
    return this.linesFor(bytesLeft)?.input ?? new Uint8Array(Math.max(0, Math.min(ROOM_BYTES, bytesLeft)))
  }

  /** Takes the next bytes. The chunk may be reused afterwards. */
  push(chunk: Uint8Array): void {
    const lines = this.linesFor(chunk.length)
    const size = lines?.input.length ?? CHUNK_BYTES
    for (let at = 0; at < chunk.length; at += size) {
      const part = at === 0 && chunk.length <= size ? chunk : chunk.subarray(at, at + size)
      if (lines === undefined) this.pushPart(part)
      else this.pushQuickly(part, lines)
    }
  }

  /** Takes one whole line of which it is known what it says: nothing of it is parsed. */
  pushEntry(line: Uint8Array, entry: Entry): void {
    if (!this.isAtEntry) {
      this.push(line)
      return
    }
    const record = {
      value: entry,
      crc: 'ok',
      offset: this.bytesSeen,
      length: line.length - 1,
      line: this.line,
    } as const
    this.onEntry(record)
    this.bytesSeen += line.length
    this.startLine(this.bytesSeen)
  }

  /** Passes over whole lines whose rows somebody else has put into the heads. Only between lines, after the header. */
  passLines(bytes: number, lines: number): void {
    this.bytesSeen += bytes
    this.line += lines
    this.lineStart = this.bytesSeen
  }

  /** Takes a line with a message, of `bytes` bytes with its line end, without looking at it. */
  pushMessage(bytes: number, head: MessageHead): void {
    writeMessageRow(this.heads, head, this.bytesSeen, bytes - 1, this.line)
    this.bytesSeen += bytes
    this.startLine(this.bytesSeen)
  }

  /** Whether the next bytes begin a line with an entry: then one that is known need not be looked at. */
  get isAtEntry(): boolean {
    return this.carried.length === 0 && !this.frame.expectsHeader
  }

  /** Reads what is left as the log's last line. */
  end(): void {
    if (this.carried.length === 0) return
    this.readCarried(false)
    this.carried.clear()
  }

  private linesFor(bytes: number): LineScanner | undefined {
    if (bytes < this.largeBytes || this.openLines === undefined) return undefined
    this.lines ??= this.openLines()
    this.largeBytes = Math.min(this.largeBytes, MIN_BYTES)
    return this.lines
  }

  private pushPart(chunk: Uint8Array): void {
    const window = openWindow(chunk)
    const base = this.bytesSeen
    this.bytesSeen += chunk.length
    let start = this.finishCarried(window, base)
    while (start >= 0 && start < chunk.length) start = this.takeLine(window, start, base)
  }

  /** The same with the usual lines taken by WebAssembly. A line that was carried stands before the chunk then. */
  private pushQuickly(chunk: Uint8Array, lines: LineScanner): void {
    const { carried, heads } = this
    const begin = carried.length > lines.maxBeginBytes || carried.overflown ? NOTHING : carried.first()
    const bytes = lines.place(begin, chunk)
    const window = openWindow(bytes)
    const base = this.bytesSeen - begin.length
    this.bytesSeen += chunk.length
    if (begin.length > 0) carried.clear()
    let start = this.finishCarried(window, base)
    let vainCalls = 0
    let without = 0
    while (start >= 0 && start < bytes.length) {
      if (without > 0) without--
      else if (!this.frame.expectsHeader) {
        const rows = heads.count
        start = lines.scan(bytes, start, heads, base, this.line)
        const taken = heads.count - rows
        this.line += taken
        this.lineStart = base + start
        if (start === bytes.length) return
        vainCalls = taken === 0 ? vainCalls + 1 : 0
        if (vainCalls >= VAIN_CALLS) without = LINES_WITHOUT
      }
      start = this.takeLine(window, start, base)
    }
  }

  /** Reads the line that began before these bytes. Returns where the next one starts, -1 when this one goes on. */
  private finishCarried(window: Window, base: number): number {
    const { carried, found } = this
    if (carried.length === 0) return 0
    const { bytes } = window
    findLineEnd(window, 0, found)
    const end = found.at
    carried.append(bytes, 0, end < 0 ? bytes.length : end)
    if (end < 0) return -1
    this.readCarried(true)
    carried.clear()
    this.startLine(base + end + 1)
    return end + 1
  }

  /** Reads the line at `start`. Returns where the next one starts, -1 when this one goes on after the bytes. */
  private takeLine(window: Window, start: number, base: number): number {
    const { found, match } = this
    const { bytes } = window
    const familiar = !this.frame.expectsHeader && matchHead(window, start, match)
    findLineEnd(window, familiar ? match.end : start, found)
    const { at } = found
    if (at < 0) {
      this.carried.append(bytes, start, bytes.length)
      return -1
    }
    const end = at > start && bytes[at - 1] === RETURN ? at - 1 : at
    if (familiar && !found.suspicious && bytes[end - 1] === CLOSE) {
      writeRow(this.heads, bytes, match, base + start, end - start, this.line)
    } else if (start < end) {
      const line = { bytes, start, end, base, number: this.line, terminated: true }
      readLine(line, this.frame, this.onEntry, this.maxLineBytes, this.codec)
    }
    this.startLine(base + at + 1)
    return at + 1
  }

  private startLine(offset: number): void {
    this.lineStart = offset
    this.line++
  }

  private readCarried(terminated: boolean): void {
    const { carried, lineStart, line } = this
    if (terminated) carried.trimReturn()
    if (carried.length === 0) return
    if (terminated && this.isFamiliar()) {
      writeRow(this.heads, carried.first(), this.match, lineStart, carried.length, line)
    } else if (carried.overflown) {
      addSkipped(this.frame, 'too_long', lineStart, carried.length, line)
    } else {
      const bytes = carried.join()
      const whole = { bytes, start: 0, end: bytes.length, base: lineStart, number: line, terminated }
      readLine(whole, this.frame, this.onEntry, this.maxLineBytes, this.codec)
    }
  }

  /** The same questions as for a line inside a chunk, asked block by block. */
  private isFamiliar(): boolean {
    const { carried, match } = this
    if (this.frame.expectsHeader || carried.lastByte !== CLOSE || carried.hadSecondHead) return false
    if (!matchHead(openWindow(carried.first()), 0, match)) return false
    const search = new SecondHeadSearch()
    let from = match.end
    for (const part of carried.parts()) {
      search.push(part.subarray(from))
      from = 0
    }
    return !search.isFound
  }
}

/** Scans a log held in memory. */
export function scanLog(bytes: Uint8Array, options: ScanOptions = {}): HeadScanner {
  const scanner = new HeadScanner(options)
  scanner.push(bytes)
  scanner.end()
  return scanner
}
