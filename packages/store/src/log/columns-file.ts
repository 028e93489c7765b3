import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { logVersion, restoreTree, saveTree, TreelineError } from '@treeline/core'
import type { SessionStorage, StorageReader } from '../storage/storage.ts'
import { writeAll } from '../storage/write-all.ts'
import { LogReader, type ReaderState } from './log-reader.ts'

/** The saved columns of one log. A cache: whatever is wrong with it, the log is scanned instead. */
export interface ColumnsFile {
  /** A reader that stands where the columns were saved; nothing when they are missing, damaged, or of another file. */
  restore(log: StorageReader): LogReader | undefined
  /** Saves when there is something worth saving. Never throws: the log has everything. */
  save(log: StorageReader, reader: LogReader): Promise<void>
  /** The same in the background, once enough was added since the last time. */
  saveSoon(log: StorageReader, reader: LogReader): void
  /** Columns not looked at so far cannot be after this. */
  close(): void
}

export const noColumns: ColumnsFile = {
  restore: () => undefined,
  save: async () => {},
  saveSoon: () => {},
  close: () => {},
}

interface SavedMeta {
  readonly identity: string
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
  readonly crc: number
}

const MAGIC = 'treeline-columns 1'
/** `magic`, length and checksum of the meta in hex. */
const INTRO = /^treeline-columns 1 ([0-9a-f]{8}) ([0-9a-f]{8})\n$/
const INTRO_BYTES = MAGIC.length + 19
const MARK_BYTES = 4096
/** Columns up to this size are read and checked at once; of larger ones each when it is looked at. */
const MAX_HELD_BYTES = 8 * 1024 * 1024
/** Below this a scan is as quick. */
const MIN_LOG_BYTES = 256 * 1024
const MIN_NEW_ROWS = 4096

export function createColumnsFile(storage: SessionStorage, path: string): ColumnsFile {
  let savedSize = -1
  let savedRows = 0
  let saving: Promise<void> | undefined
  let opened: StorageReader | undefined

  function restore(log: StorageReader): LogReader | undefined {
    try {
      opened = storage.openReader(path)
      const meta = readMeta(opened)
      if (meta !== undefined && isOf(meta, log)) {
        const reader = new LogReader({ tree: readTree(opened, meta, removeDamaged), state: meta.state })
        savedSize = meta.state.offset
        savedRows = reader.heads.count
        return reader
      }
    } catch {
      // Missing, cut short, damaged, or from another version: all the same, the log is scanned.
    }
    close()
    return undefined
  }

  function close(): void {
    opened?.closeSync()
    opened = undefined
  }

  /** So that the next opening scans. Should it fail, the next one finds the same and tries again. */
  function removeDamaged(): void {
    storage.unlink(path).catch(() => {})
  }

  async function save(log: StorageReader, reader: LogReader): Promise<void> {
    await saving
    const state = reader.save()
    if (state === undefined || state.offset === savedSize || state.offset < MIN_LOG_BYTES) return
    const rows = reader.heads.count
    const temp = `${path}.${randomBytes(6).toString('hex')}.tmp`
    try {
      const bytes = encodeColumns(log, reader, state)
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
    } catch {
      // A full disk, a read-only home: the next opening scans.
      await storage.unlink(temp).catch(() => {})
    }
  }

  return {
    restore,
    save,
    saveSoon(log, reader) {
      if (saving !== undefined || reader.heads.count - savedRows < Math.max(MIN_NEW_ROWS, savedRows / 8)) return
      savedRows = reader.heads.count
      saving = save(log, reader).finally(() => {
        saving = undefined
      })
    },
    close,
  }
}

function encodeColumns(log: StorageReader, reader: LogReader, state: ReaderState): Buffer {
  const { meta: tree, sections } = saveTree(reader.tree)
  const length = Math.min(MARK_BYTES, state.offset)
  const meta: Omit<SavedMeta, 'end'> = {
    identity: log.statSync().identity,
    state,
    mark: readMark(log, state.offset - length, length),
    tree,
    sections: sections.map(({ name, bytes }) => ({ name, bytes: bytes.length, crc: crc32(bytes) })),
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
  const text = Buffer.alloc(Number.parseInt(found[1]!, 16))
  file.readSync(text, INTRO_BYTES)
  if (hex(crc32(text)) !== found[2]) return undefined
  return { ...(JSON.parse(text.toString()) as Omit<SavedMeta, 'end'>), end: INTRO_BYTES + text.length }
}

/** Same file, not shorter than it was, and its last saved line is still there. */
function isOf({ identity, mark }: SavedMeta, log: StorageReader): boolean {
  const stat = log.statSync()
  if (stat.identity !== identity || stat.size < mark.offset + mark.length) return false
  return readMark(log, mark.offset, mark.length).crc === mark.crc
}

function readMark(log: StorageReader, offset: number, length: number): Mark {
  const bytes = new Uint8Array(length)
  log.readSync(bytes, offset)
  return { offset, length, crc: crc32(bytes) }
}

/** Each section goes straight into the array it belongs to, when that is first looked at. */
function readTree(file: StorageReader, meta: SavedMeta, onDamage: () => void): ReturnType<typeof restoreTree> {
  const size = meta.sections.reduce((sum, { bytes }) => sum + bytes, 0)
  const held = size <= MAX_HELD_BYTES ? readChecked(file, meta, size) : undefined
  const places = new Map<string, Section & { readonly at: number }>()
  let at = 0
  for (const section of meta.sections) {
    places.set(section.name, { ...section, at })
    at += section.bytes
  }
  const read = (name: string, into: Uint8Array): void => {
    const place = places.get(name)
    if (place?.bytes === into.length) {
      if (held !== undefined) {
        into.set(held.subarray(place.at, place.at + place.bytes))
        return
      }
      if (file.readSync(into, meta.end + place.at) === into.length && crc32(into) === place.crc) return
    }
    onDamage()
    const message = `The saved columns of this session are damaged (${name}). They are removed: open the session again.`
    throw new TreelineError('damaged', message)
  }
  const { header } = meta.state
  return restoreTree(meta.tree, read, { sessionId: header?.id ?? '', version: logVersion(header) })
}

/** All sections at once, each as it was saved, or an error. */
function readChecked(file: StorageReader, { sections, end }: SavedMeta, size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  file.readSync(bytes, end)
  let at = 0
  for (const { name, bytes: length, crc } of sections) {
    if (crc32(bytes.subarray(at, at + length)) !== crc) throw new Error(`The saved column ${name} is damaged`)
    at += length
  }
  return bytes
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0')
}
