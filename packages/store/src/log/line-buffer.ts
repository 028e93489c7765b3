import { crc32 } from 'node:zlib'
import { type Entry, encodeLine, type MessageHead, roleOf, sealInPlace } from '@treeline/core'
import { type KnownLine, knownEdit } from './known-line.ts'
import { preparedMessages } from './prepared-messages.ts'

const FIRST_BYTES = 128 * 1024
/** One long batch does not make us hold on to its size for ever. */
const MAX_SPARE_BYTES = 1024 * 1024
const MAX_SPARES = 4
/** Bytes of a line beside its ids and its message. */
const FRAME_BYTES = 160
const LINE_END = Uint8Array.of(0x0a)
const spares: Uint8Array[] = []

interface NodeBuffer {
  utf8Write(this: Uint8Array, text: string, at: number): number
  latin1Write(this: Uint8Array, text: string, at: number): number
}
const { utf8Write, latin1Write } = Buffer.prototype as unknown as NodeBuffer

/** The lines of a batch, made one behind the other where they are written from. The memory is used again and again. */
export class LineBuffer {
  private room = spares.pop() ?? new Uint8Array(FIRST_BYTES)
  private length = 0
  private readonly firstLine: number
  /** Those that the tree does not have yet. */
  private untaken: KnownLine[] = []
  private readonly untakenIds = new Set<string>()

  /** `needsLineEnd` when what is written before them lacks its own. */
  constructor(needsLineEnd = false) {
    if (needsLineEnd) this.addBytes(LINE_END)
    this.firstLine = this.length
  }

  /** Good until `giveBack`. */
  get bytes(): Uint8Array {
    return this.room.subarray(0, this.length)
  }

  get isEmpty(): boolean {
    return this.length === this.firstLine
  }

  addBytes(bytes: Uint8Array, edit?: Entry): void {
    const start = this.reserve(bytes.length)
    this.room.set(bytes, start)
    this.end(start, start + bytes.length, edit)
  }

  addEntry(entry: Entry): void {
    this.addBytes(encodeLine(entry, crc32, preparedMessages), knownEdit(entry))
  }

  /** An entry with a head and a message of which the JSON is known, and nothing else. Its ids need no escapes. */
  addMessage(entry: Entry, text: string): void {
    const { id, parentId, timestamp } = entry
    const above = parentId === null ? 'null' : `"${parentId}"`
    const head = `{"type":"message","id":"${id}","parentId":${above},"timestamp":"${timestamp}","message":`
    const start = this.reserve(head.length + text.length * 3 + FRAME_BYTES)
    const { room } = this
    const textStart = start + latin1Write.call(room, head, start)
    const contentEnd = textStart + utf8Write.call(room, text, textStart)
    const message: MessageHead = { id, parentId, timeMs: timeOf(timestamp), role: roleIn(entry.message) }
    this.end(start, sealInPlace(room, contentEnd, crc32, start), undefined, message)
    this.untakenIds.add(id)
  }

  /** Of the message in the last line, if that is one, and not handed over yet. */
  get lastMessageId(): string | undefined {
    return this.untaken.at(-1)?.message?.id
  }

  /** Whether a message has this id that is not handed over yet. */
  hasMessage(id: string): boolean {
    return this.untakenIds.has(id)
  }

  /** Hands over the lines that came since the last time. False when there are none. */
  pushTo(reader: { pushLines(lines: readonly KnownLine[], room: Uint8Array): void }): boolean {
    const { untaken, room } = this
    if (untaken.length === 0 || this.isEmpty) return false
    this.untaken = []
    this.untakenIds.clear()
    reader.pushLines(untaken, room)
    return true
  }

  /** Where the next line begins. */
  mark(): number {
    return this.length
  }

  /** Drops the lines that came since. */
  cutTo(mark: number): void {
    this.length = mark
    while (this.untaken.length > 0 && this.untaken.at(-1)!.start >= mark) {
      const { message } = this.untaken.pop()!
      if (message !== undefined) this.untakenIds.delete(message.id)
    }
  }

  /** For whoever keeps the lines when the memory is used for others. */
  copy(): Uint8Array {
    return this.room.slice(0, this.length)
  }

  giveBack(): void {
    const { room } = this
    this.room = NO_ROOM
    this.length = 0
    if (room.length > 0 && room.length <= MAX_SPARE_BYTES && spares.length < MAX_SPARES) spares.push(room)
  }

  private reserve(bytes: number): number {
    const { length, room } = this
    if (length + bytes > room.length) {
      this.room = new Uint8Array(Math.max(length + bytes, room.length * 2))
      this.room.set(room.subarray(0, length))
    }
    return length
  }

  private end(start: number, end: number, edit?: Entry, message?: MessageHead): void {
    this.length = end
    this.untaken.push({ start, end, edit, message })
  }
}

const NO_ROOM = new Uint8Array(0)

let timedText = ''
let timedMs = Number.NaN

/** Many entries are made in one millisecond. */
function timeOf(timestamp: string): number {
  if (timestamp !== timedText) {
    timedMs = Date.parse(timestamp)
    timedText = timestamp
  }
  return timedMs
}

function roleIn(message: unknown): MessageHead['role'] {
  return roleOf((message as { readonly role?: unknown }).role)
}
