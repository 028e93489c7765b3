import {
  HeadScanner,
  Heads,
  LOG_VERSION,
  type LogNote,
  type LogRecord,
  logVersion,
  openLineScanner,
  type SessionHeader,
  type SkippedRange,
  scanLog,
  type TitleSlot,
  Tree,
  upgradeHeader,
} from '@treeline/core'
import type { KnownLine } from './known-line.ts'
import { nativeCodec } from './native-codec.ts'
import { type CopiedRun, UnseenLines } from './unseen-lines.ts'

/** Where reading goes on, and what was found so far beside the entries: everything but the tree. */
export interface ReaderState {
  readonly offset: number
  readonly line: number
  readonly header: SessionHeader | undefined
  readonly titleSlot: TitleSlot | undefined
  readonly isSealed: boolean
  readonly skipped: readonly SkippedRange[]
  readonly notes: readonly LogNote[]
  readonly unlisted: number
}

/** What a reader is made of that does not begin at the first byte. */
export interface SavedReader {
  readonly tree: Tree
  readonly state: ReaderState
  /** The bytes before `state.offset`, as many as are at hand. */
  readonly lastBytes: Uint8Array
}

/** What was found beside entries. */
type Found = Pick<HeadScanner, 'header' | 'titleSlot' | 'skipped' | 'notes' | 'unlisted'>

const MARK_BYTES = 32
/** Ids and time are in it. */
const HEAD_BYTES = 256
/** A longer last line is left as it is until it has its line end. */
const MAX_TAIL_BYTES = 64 * 1024 * 1024
/** One this long is looked at only when it may be whole: it may be coming in pieces. */
const LONG_TAIL_BYTES = 1024 * 1024
/** A whole record ends with a brace; some programs leave white space behind it. */
const RECORD_ENDS: ReadonlySet<number | undefined> = new Set(Buffer.from('} \t\r'))
/** More are not left for later: copying them all at once would take whoever asks first longer than building the tree. */
const MAX_UNSEEN_ROWS = 16 * 1024
/** Memory that is made room for and never touched costs nothing. */
const USUAL_LINE_BYTES = 1024

/**
 * From the bytes of a log to its tree, as they come. Lines count once they have a line end. The last line of what there
 * is may lack one: it counts if it is a whole record, and otherwise waits for its rest (`tail`).
 */
export class LogReader {
  private readonly rows: Heads
  /** Whoever wants a row sees to it that none are left. */
  private readonly unseen = new UnseenLines()
  /** Set when the bytes after the last line end hold no whole record: a write cut short, or one still going on. */
  tornAt: number | undefined
  private scanner: HeadScanner
  /** The last line was taken as a whole record although it has no line end. */
  private endsInsideLine = false
  /** Behind the records of that line stands what is none so far: the beginning of one more, perhaps. */
  endsTorn = false
  private builtTree: Tree | undefined
  /** The end of what was taken, to recognise the log by. */
  lastBytes = new Uint8Array(0)
  private readonly before: ReaderState
  /** Of those that are through: not themselves, which hold on to memory. */
  private readonly finished: Found[] = []
  private rewrittenSlot: TitleSlot | undefined
  private foundHeader: SessionHeader | undefined

  /** `sizeBytes` is how long the log is, as far as known: room is made for as many rows as it may hold. */
  constructor(saved?: SavedReader, sizeBytes = 0) {
    this.before = saved?.state ?? EMPTY
    this.rows = saved?.tree.heads ?? new Heads(Math.max(1024, Math.ceil(sizeBytes / USUAL_LINE_BYTES)))
    this.builtTree = saved?.tree
    if (saved !== undefined) this.lastBytes = saved.lastBytes.slice(-MARK_BYTES)
    this.scanner = this.scanFrom(this.before.offset, this.before.line)
  }

  /** Bytes taken so far. */
  get size(): number {
    return this.scanner.bytesSeen
  }

  /** True when what was taken does not end with a line end: the next line has to begin with one. */
  get needsLineEnd(): boolean {
    return this.size > this.scanner.resumeOffset || this.endsInsideLine
  }

  /**
   * Where the last line begins if it is not whole, and how: one that says the same may have come in its place, under
   * another id.
   */
  get openLine(): [offset: number, beginning: Uint8Array] | undefined {
    const beginning = this.scanner.openLine
    return beginning.length === 0 ? undefined : [this.scanner.resumeOffset, beginning.subarray(0, HEAD_BYTES)]
  }

  /** One row per good record after the header. */
  get heads(): Heads {
    this.lookAtUnseen()
    return this.rows
  }

  /** As many rows as `heads` has, without looking at them. */
  get rowCount(): number {
    return this.rows.count + this.unseen.rowCount
  }

  get tree(): Tree {
    this.builtTree ??= new Tree(this.heads, { sessionId: this.storedHeader?.id ?? '', version: this.version })
    return this.builtTree
  }

  /** As stored, of whatever version. */
  get storedHeader(): SessionHeader | undefined {
    return this.find(({ header }) => header && believable(header)) ?? this.before.header
  }

  get titleSlot(): TitleSlot | undefined {
    return this.rewrittenSlot ?? this.find(({ titleSlot }) => titleSlot) ?? this.before.titleSlot
  }

  /** The slot is the one line that may come to say something else. */
  useSlot(slot: TitleSlot): void {
    this.rewrittenSlot = slot
    this.foundHeader = undefined
  }

  /** Whether the header line ends in a checksum, right or wrong: then Treeline began the log. */
  get isSealed(): boolean {
    const found = this.scanners.find(({ header }) => header !== undefined)?.header
    return found === undefined ? this.before.isSealed : found.crc !== 'none'
  }

  /** Asked for with every append; once it is there, only its slot may come to say something else. */
  get header(): SessionHeader | undefined {
    this.foundHeader ??= this.storedHeader && withTexts(upgradeHeader(this.storedHeader, this.titleSlot))
    return this.foundHeader
  }

  get version(): number {
    return logVersion(this.storedHeader)
  }

  get skipped(): readonly SkippedRange[] {
    return [...this.before.skipped, ...this.scanners.flatMap(({ skipped }) => skipped)]
  }

  get notes(): readonly LogNote[] {
    return [...this.before.notes, ...this.scanners.flatMap(({ notes }) => notes)]
  }

  /** Findings that were counted but not listed. */
  get unlisted(): number {
    return this.scanners.reduce((sum, { unlisted }) => sum + unlisted, this.before.unlisted)
  }

  /** Where to read the next of so many bytes to, until anything else is read. */
  room(bytesLeft: number): Uint8Array {
    return this.scanner.room(bytesLeft)
  }

  /** Takes the bytes that follow. They may be reused afterwards. */
  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.lookAtUnseen()
    this.tornAt = undefined
    this.endsInsideLine = false
    this.endsTorn = false
    this.scanner.push(bytes)
    this.keepMark(bytes)
  }

  /** Takes the lines of `room` that follow. What is known of one is not read again. */
  pushLines(lines: readonly KnownLine[], room: Uint8Array): void {
    this.lookAtUnseen()
    this.tornAt = undefined
    this.endsInsideLine = false
    this.endsTorn = false
    const { scanner } = this
    for (const { start, end, edit, message } of lines) {
      if (message !== undefined && scanner.isAtEntry) scanner.pushMessage(end - start, message)
      else if (edit !== undefined) scanner.pushEntry(room.subarray(start, end), edit)
      else scanner.push(room.subarray(start, end))
    }
    const { end } = lines.at(-1)!
    this.keepMark(room.slice(Math.max(lines[0]!.start, end - MARK_BYTES), end))
  }

  /**
   * Takes whole lines that follow and are rows of another log, one run behind the other, where nothing was found wrong
   * with them. They are never looked at, and what is known of them not before somebody asks.
   */
  pushCopied(lines: Uint8Array, runs: readonly CopiedRun[]): void {
    let count = 0
    for (const { first, end } of runs) count += end - first
    this.pushUnseen(lines, count, runs)
  }

  /** Takes so many lines that follow, each a good entry. They stay as they are, and are looked at when somebody asks. */
  pushKept(lines: Uint8Array, count: number): void {
    this.pushUnseen(lines, count, lines)
  }

  private pushUnseen(bytes: Uint8Array, count: number, lines: readonly CopiedRun[] | Uint8Array): void {
    const { scanner, unseen } = this
    unseen.add({ offset: this.size, line: scanner.resumeLine, lines }, count)
    scanner.passLines(bytes.length, count)
    this.keepMark(bytes)
    if (unseen.rowCount > MAX_UNSEEN_ROWS) this.lookAtUnseen()
  }

  /** Of every line it is known from here on what it is, and nothing else is kept for that. */
  lookAtUnseen(): void {
    if (this.unseen.rowCount > 0) this.finish(...this.unseen.lookAt(this.rows))
  }

  private keepMark(bytes: Uint8Array): void {
    if (bytes.length >= MARK_BYTES) this.lastBytes = bytes.slice(-MARK_BYTES)
    else this.lastBytes = Uint8Array.of(...this.lastBytes, ...bytes).slice(-MARK_BYTES)
  }

  /** Brings the tree up to the lines taken. */
  sync(): void {
    if (this.builtTree === undefined) return
    this.lookAtUnseen()
    this.builtTree.sync()
  }

  /** Called at the end of the file: looks whether its last line, without a line end, is a whole record. */
  settleTail(readBack: (offset: number, length: number) => Uint8Array): void {
    const { resumeOffset, resumeLine } = this.scanner
    const length = this.size - resumeOffset
    if (length === 0) return
    if (length > MAX_TAIL_BYTES || (length > LONG_TAIL_BYTES && !RECORD_ENDS.has(this.lastBytes.at(-1)))) {
      this.tornAt = resumeOffset
      return
    }
    const rows = this.heads.count
    const bytes = readBack(resumeOffset, length)
    const tail = scanLog(bytes, {
      heads: this.heads,
      startOffset: resumeOffset,
      startLine: resumeLine,
      expectsHeader: this.expectsHeader,
    })
    if (this.heads.count === rows && tail.header === undefined && tail.titleSlot === undefined) {
      // White space behind the last line end is nobody's entry.
      if (tail.skipped.some(({ severity }) => severity === 'damage')) this.tornAt = resumeOffset
      return
    }
    this.finish(this.scanner, tail)
    // The line goes on: a line end first, and if anything else, it is read as what it is.
    this.scanner = this.scanFrom(resumeOffset + length, resumeLine)
    this.endsInsideLine = true
    this.endsTorn = tail.skipped.some(({ severity }) => severity === 'damage')
  }

  /**
   * What a later reader needs to go on after the last line end, together with the tree as it is now. Nothing while the
   * last line is taken but has no line end, which passes with the next append.
   */
  save(): ReaderState | undefined {
    if (this.endsInsideLine) return undefined
    return {
      offset: this.scanner.resumeOffset,
      line: this.scanner.resumeLine,
      header: this.storedHeader,
      titleSlot: this.titleSlot,
      isSealed: this.isSealed,
      skipped: this.skipped,
      notes: this.notes,
      unlisted: this.unlisted,
    }
  }

  private finish(...scanners: readonly Found[]): void {
    for (const { header, titleSlot, skipped, notes, unlisted } of scanners) {
      const isAny = header !== undefined || titleSlot !== undefined || skipped.length + notes.length + unlisted > 0
      if (isAny) this.finished.push({ header, titleSlot, skipped, notes, unlisted })
    }
  }

  private get scanners(): readonly Found[] {
    // Asked while the first scanner is still being made.
    return this.scanner === undefined ? [] : [...this.finished, this.scanner]
  }

  private get expectsHeader(): boolean {
    return this.rowCount === 0 && this.storedHeader === undefined
  }

  private find<T extends SessionHeader | TitleSlot>(take: (found: Found) => LogRecord | undefined): T | undefined {
    for (const found of this.scanners) {
      const record = take(found)
      if (record !== undefined) return record.value as unknown as T
    }
    return undefined
  }

  private scanFrom(startOffset: number, startLine: number): HeadScanner {
    const { rows: heads, expectsHeader } = this
    const quickly = { openLines: openLineScanner, codec: nativeCodec }
    return new HeadScanner({ heads, startOffset, startLine, expectsHeader, ...quickly })
  }
}

/**
 * A checksum that does not hold means a line of ours with some byte changed. We write no version but this one; believing
 * another would give every entry a new id.
 */
function believable(header: LogRecord): LogRecord {
  return header.crc === 'mismatch' ? { ...header, value: { ...header.value, version: LOG_VERSION } } : header
}

/** Whatever some tool or somebody put there: what is to be text is one, or is not there. */
function withTexts(header: SessionHeader): SessionHeader {
  const { title, parentSession, cwd, timestamp } = header as unknown as { readonly [field: string]: unknown }
  const isText = [title ?? '', parentSession ?? '', cwd, timestamp].every((value) => typeof value === 'string')
  if (isText) return header
  const { title: _, parentSession: __, ...rest } = header
  return {
    ...rest,
    cwd: textOr(cwd, ''),
    timestamp: textOr(timestamp, ''),
    ...(typeof title === 'string' && { title }),
    ...(typeof parentSession === 'string' && { parentSession }),
  }
}

function textOr(value: unknown, other: string): string {
  return typeof value === 'string' ? value : other
}

const EMPTY: ReaderState = {
  offset: 0,
  line: 1,
  header: undefined,
  titleSlot: undefined,
  isSealed: false,
  skipped: [],
  notes: [],
  unlisted: 0,
}
