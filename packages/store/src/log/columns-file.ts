import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import {
  logVersion,
  PAGE_BYTES,
  restoreTree,
  saveTree,
  scanLog,
  type TitleSlot,
  type Tree,
  TreelineError,
} from '@treeline/core'
import type { SessionStorage, StorageReader } from '../storage/storage.ts'
import { writeAll } from '../storage/write-all.ts'
import { LogReader, type ReaderState } from './log-reader.ts'
import { columnsCrc32 as crc32 } from './native-codec.ts'

/** A log as its columns are saved. */
export type SavedLog = Pick<StorageReader, 'statSync' | 'readSync' | 'datasync'>

/** The saved columns of one log. A cache: whatever is wrong with it, the log is scanned instead. */
export interface ColumnsFile {
  /** A reader that stands where the columns were saved; nothing when they are missing, damaged, or of another file. */
  restore(log: StorageReader): LogReader | undefined
  /** Saves when there is something worth saving. Never throws: the log has everything. */
  save(log: SavedLog, reader: LogReader): Promise<void>
  /** The same in the background, once enough was added since the last time, by rows of ours: those from `firstOwn` on. */
  saveSoon(log: SavedLog, reader: LogReader, firstOwn: number): void
  /** Columns not looked at so far cannot be after this. */
  close(): void
  /** Told when a column turns out damaged as it is looked at. */
  onDamage: (() => void) | undefined
}

export const noColumns: ColumnsFile = {
  restore: () => undefined,
  save: async () => {},
  saveSoon: () => {},
  close: () => {},
  onDamage: undefined,
}

interface SavedMeta {
  readonly identity: string
  /** Of the log as it was then. */
  readonly sizeBytes: number
  readonly mtimeMs: number
  readonly state: ReaderState
  /** The end of the last saved line, to recognise the log by. */
  readonly mark: Mark
  readonly tree: unknown
  readonly sections: readonly Section[]
  /** Where the sections begin. */
  readonly end: number
}
interface Mark {
  readonly offset: number
  readonly length: number
  readonly crc: number
}
interface Section {
  readonly name: string
  readonly bytes: number
  /** One for each page of it. */
  readonly crcs: readonly number[]
}

const MAGIC = 'treeline-columns 4'
/** `magic`, length and checksum of the meta in hex. */
const INTRO = /^treeline-columns 4 ([0-9a-f]{8}) ([0-9a-f]{8})\n$/
const INTRO_BYTES = MAGIC.length + 19
const MARK_BYTES = 4096
const SLOT_BYTES = 1024
const MAX_HELD_BYTES = 1024 * 1024
/** A log that is read anew again and again does not use up all descriptors. */
const MAX_OPEN = 4
/** Columns up to this size are checked before anything is built on them; of larger ones each when it is looked at. */
const MAX_CHECKED_BYTES = 8 * 1024 * 1024
/** Below this a scan is as quick. */
const MIN_LOG_BYTES = 256 * 1024
const MIN_NEW_ROWS = 4096

export function createColumnsFile(
  storage: SessionStorage,
  path: string,
  maxCheckedBytes: number = MAX_CHECKED_BYTES,
): ColumnsFile {
  let savedSize = -1
  let savedRows = 0
  let saving: Promise<void> | undefined
  /** Set from when a column turned out damaged until all are saved anew: the file is still there while it is removed. */
  let isDamaged = false
  /** The latest one last. Trees that are still in use read on from those before it. */
  const opened: OpenColumns[] = []

  function restore(log: StorageReader): LogReader | undefined {
    if (isDamaged) return undefined
    let found: OpenColumns | undefined
    try {
      const columns = { file: storage.openReader(path), isClosed: false, isDamaged: false }
      found = columns
      const meta = readMeta(columns.file)
      const lastBytes = meta && readMark(log, meta)
      if (meta !== undefined && lastBytes !== undefined) {
        const state = { ...meta.state, titleSlot: rereadSlot(log, meta.state.titleSlot) }
        const onDamage = () => removeDamaged(columns)
        const reader = new LogReader({ tree: readTree(columns, meta, maxCheckedBytes, onDamage), state, lastBytes })
        savedSize = meta.state.offset
        savedRows = reader.heads.count
        opened.push(columns)
        if (opened.length > MAX_OPEN) closeOne(opened.shift()!)
        return reader
      }
    } catch {
      // Missing, cut short, damaged, or from another version: all the same, the log is scanned.
    }
    if (found !== undefined) closeOne(found)
    return undefined
  }

  function close(): void {
    for (const columns of opened.splice(0)) closeOne(columns)
  }

  /** So that the next opening scans. Should it fail, the next one finds the same and tries again. */
  function removeDamaged(columns: OpenColumns): void {
    // Told once: a tree that is still in use is refused again and again, when others may be saved by now.
    if (columns !== opened.at(-1) || columns.isDamaged) return
    columns.isDamaged = true
    isDamaged = true
    storage.unlink(path).catch(() => {})
    file.onDamage?.()
  }

  async function save(log: SavedLog, reader: LogReader): Promise<void> {
    await saving
    await saveNow(log, reader)
  }

  async function saveNow(log: SavedLog, reader: LogReader): Promise<void> {
    const state = reader.save()
    if (state === undefined || state.offset === savedSize || state.offset < MIN_LOG_BYTES) return
    const rows = reader.heads.count
    const temp = `${path}.${randomBytes(6).toString('hex')}.tmp`
    try {
      if (!isWritten(log, reader)) return
      const bytes = encodeColumns(log, reader, state)
      // Columns that outlive a power cut must not speak of lines that did not.
      await log.datasync()
      storage.ensureDirSync(dirname(path))
      const file = storage.openWriter(temp, { flags: 'wx' })
      try {
        writeAll(file, bytes)
        await file.datasync()
      } finally {
        file.closeSync()
      }
      await storage.rename(temp, path)
      savedSize = state.offset
      savedRows = rows
      isDamaged = false
    } catch {
      // A full disk, a read-only home: the next opening scans.
      await storage.unlink(temp).catch(() => {})
    }
  }

  const file: ColumnsFile = {
    restore,
    save,
    saveSoon(log, reader, firstOwn) {
      const due = nextSaving(savedRows)
      if (saving !== undefined || reader.heads.count < due) return
      savedRows = reader.heads.count
      if (firstOwn >= due) return
      // Whoever waits for an append comes first.
      saving = new Promise(setImmediate)
        .then(() => saveNow(log, reader))
        .finally(() => {
          saving = undefined
        })
    },
    close,
    onDamage: undefined,
  }
  return file
}

/**
 * So many rows the log has when it is to be saved again. The same numbers for every process: of several that append, only
 * the one saves whose lines reach it.
 */
function nextSaving(rows: number): number {
  const step = Math.max(MIN_NEW_ROWS, 2 ** Math.floor(Math.log2(Math.max(1, rows))) / 8)
  return (Math.floor(rows / step) + 1) * step
}

function encodeColumns(log: SavedLog, reader: LogReader, state: ReaderState): Buffer {
  const { meta: tree, sections } = saveTree(reader.tree)
  const { identity, size: sizeBytes, mtimeMs } = log.statSync()
  const meta: Omit<SavedMeta, 'end'> = {
    identity,
    sizeBytes,
    mtimeMs,
    state,
    mark: makeMark(log, state.offset),
    tree,
    sections: sections.map(({ name, bytes }) => ({ name, bytes: bytes.length, crcs: checksumsOf(bytes) })),
  }
  const text = Buffer.from(JSON.stringify(meta))
  const intro = `${MAGIC} ${hex(text.length)} ${hex(crc32(text))}\n`
  return Buffer.concat([Buffer.from(intro), text, ...sections.map(({ bytes }) => bytes)])
}

function readMeta(file: StorageReader): SavedMeta | undefined {
  const intro = Buffer.alloc(INTRO_BYTES)
  file.readSync(intro, 0)
  const found = INTRO.exec(intro.toString('latin1'))
  if (found === null) return undefined
  const length = Number.parseInt(found[1]!, 16)
  if (length > file.statSync().size) return undefined
  const text = Buffer.alloc(length)
  file.readSync(text, INTRO_BYTES)
  if (hex(crc32(text)) !== found[2]) return undefined
  const meta = JSON.parse(text.toString()) as Omit<SavedMeta, 'end'>
  return isPossible(meta) ? { ...meta, end: INTRO_BYTES + text.length } : undefined
}

/** Whatever its checksum says: nothing here may keep a session from being opened. */
function isPossible({ state, mark, sections }: Omit<SavedMeta, 'end'>): boolean {
  const { offset, line, unlisted, skipped, notes } = state
  const ranges = [...skipped, ...notes].flatMap((range) => [range.offset, range.length, range.line])
  const sizes = [offset, line, unlisted, mark.offset, mark.length, ...ranges, ...sections.map(({ bytes }) => bytes)]
  return mark.length <= MARK_BYTES && mark.offset + mark.length === offset && sizes.every(isCount)
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function makeMark(log: SavedLog, end: number): Mark {
  const length = Math.min(MARK_BYTES, end)
  return { offset: end - length, length, crc: crc32(readBytes(log, end - length, length)) }
}

/**
 * The bytes before the saved end, if this is the same file, not shorter than it was, and they are still what they were. If
 * nothing came to it, it was not written to either: somebody may have written over what is in the middle.
 */
function readMark(log: StorageReader, { identity, mark, sizeBytes, mtimeMs }: SavedMeta): Uint8Array | undefined {
  const stat = log.statSync()
  if (stat.identity !== identity || stat.size < mark.offset + mark.length) return undefined
  if (stat.size === sizeBytes && stat.mtimeMs !== mtimeMs) return undefined
  const bytes = readBytes(log, mark.offset, mark.length)
  return crc32(bytes) === mark.crc ? bytes : undefined
}

/** False when the file does not hold at its end what the reader took: someone wrote without our lock. */
function isWritten(log: SavedLog, { lastBytes, size }: LogReader): boolean {
  return Buffer.compare(readBytes(log, size - lastBytes.length, lastBytes.length), lastBytes) === 0
}

/** oh-my-pi rewrites its title in place, which no mark at the end can tell. */
function rereadSlot(log: StorageReader, saved: TitleSlot | undefined): TitleSlot | undefined {
  if (saved === undefined) return undefined
  const { titleSlot } = scanLog(readBytes(log, 0, SLOT_BYTES))
  return (titleSlot?.value as unknown as TitleSlot | undefined) ?? saved
}

function readBytes(log: SavedLog, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  return bytes.subarray(0, log.readSync(bytes, offset))
}

/** A columns file that a tree reads from as it is looked at. */
interface OpenColumns {
  readonly file: StorageReader
  isClosed: boolean
  isDamaged: boolean
}

function closeOne(columns: OpenColumns): void {
  columns.isClosed = true
  columns.file.closeSync()
}

interface Place extends Section {
  readonly at: number
}

/** Each section goes straight into the array it belongs to, when that is first looked at. */
function readTree(columns: OpenColumns, meta: SavedMeta, maxCheckedBytes: number, onDamage: () => void): Tree {
  const { file } = columns
  const places = new Map<string, Place>()
  let end = meta.end
  for (const section of meta.sections) {
    places.set(section.name, { ...section, at: end })
    end += section.bytes
  }
  const isChecked = end <= maxCheckedBytes
  const source = isChecked && end <= MAX_HELD_BYTES ? holdAll(file, end) : file
  if (isChecked) for (const place of places.values()) checkSection(source, place)
  const read = (name: string, into: Uint8Array, from = 0): void => {
    const place = places.get(name)
    if (columns.isClosed && source === file) {
      throw new TreelineError('bad_request', 'The session this tree belongs to is closed. Open it again.')
    }
    if (place !== undefined && tryRead(source, into, place.at + from)) {
      if (isChecked || isSound(into, place, from)) return
    }
    onDamage()
    throw new TreelineError(
      'damaged',
      `The saved columns of this session are damaged (${name}). They are removed: try again.`,
    )
  }
  const { header } = meta.state
  return restoreTree(meta.tree, read, { sessionId: header?.id ?? '', version: logVersion(header) }, onDamage)
}

type Source = Pick<StorageReader, 'readSync'>

/** A small file is read once, not once to check it and once to use it. */
function holdAll(file: StorageReader, end: number): Source {
  const held = readBytes(file, 0, end)
  return {
    readSync: (into, position) => {
      const part = held.subarray(position, position + into.length)
      into.set(part)
      return part.length
    },
  }
}

function tryRead(file: Source, into: Uint8Array, at: number): boolean {
  try {
    return file.readSync(into, at) === into.length
  } catch {
    // A cache on a bad disk is a damaged cache.
    return false
  }
}

/** Through one small buffer: memory that is touched for the first time costs more than reading. */
function checkSection(file: Source, place: Place): void {
  for (let done = 0; done < place.bytes; done += PAGE_BYTES) {
    const page = checkBuffer.subarray(0, Math.min(PAGE_BYTES, place.bytes - done))
    const isWhole = file.readSync(page, place.at + done) === page.length
    if (!isWhole || !isSound(page, place, done)) throw new Error(`The saved column ${place.name} is damaged`)
  }
}

const checkBuffer = new Uint8Array(PAGE_BYTES)

function checksumsOf(bytes: Uint8Array): number[] {
  const crcs: number[] = []
  for (let at = 0; at < bytes.length; at += PAGE_BYTES) crcs.push(crc32(bytes.subarray(at, at + PAGE_BYTES)))
  return crcs
}

/** Whether whole pages of a section, from one that begins at `from`, are what was saved. */
function isSound(pages: Uint8Array, { crcs }: Section, from: number): boolean {
  return checksumsOf(pages).every((crc, i) => crc === crcs[from / PAGE_BYTES + i])
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0')
}
