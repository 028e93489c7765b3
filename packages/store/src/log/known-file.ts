import type { Dialect, SessionHeader, TreelineError } from '@treeline/core'
import type { SessionStorage, SessionStorageWriter, StorageReader } from '../storage/storage.ts'
import { errnoOf, storageError } from '../storage-error.ts'
import { findDamage, judgeAccess } from './access.ts'
import { BodyReader, type OpenedFile } from './body-reader.ts'
import { type ColumnsFile, noColumns, type SavedLog } from './columns-file.ts'
import { type FileSyncs, leaveSyncs, shareSyncs } from './file-syncs.ts'
import type { LineBuffer } from './line-buffer.ts'
import { dialectOf } from './log-dialect.ts'
import { notFound, otherSessionError, type ReadOnlyReason, readOnlyError, replacedError } from './log-errors.ts'
import { LogReader } from './log-reader.ts'
import { migrateFile } from './migrate-file.ts'
import { type KnownLog, readKnown } from './read-known.ts'
import { readWarm } from './read-warm.ts'
import { scanFile, scanFileSync } from './scan-file.ts'
import type { Access } from './session-log.ts'

export interface KnownFileOptions {
  readonly storage: SessionStorage
  readonly path: string
  readonly columns?: ColumnsFile | undefined
  /** Why nothing may be written, whatever the file is like. */
  readonly readOnly?: 'asked' | 'foreign' | undefined
  /** Continue a log although some of its bytes are damaged: they stay where they are. */
  readonly acceptDamage?: boolean | undefined
}

const MAX_RETIRED = 4
/** More does not fit one piece, of which the last line end is looked for. */
const MAX_AHEAD_BYTES = 512 * 1024
const LINE_END = 0x0a

/**
 * The file of a log, open, and what is known of it so far. Others append to it, and may replace it, cut it short or delete
 * it: `catchUp` finds out.
 */
export class KnownFile {
  access: Access
  reader: LogReader
  bodies: BodyReader
  handle: SessionStorageWriter | StorageReader
  /** Of the file, whoever else has it open here. */
  syncs: FileSyncs
  /** Set when the tree holds lines that the file may not: it is read anew before anything else is written. */
  isStale = false
  /** How often lines of others were found. */
  timesReadOn = 0
  /** Lines that are in the file, and that the tree does not have yet. */
  written: { readonly lines: LineBuffer; readonly end: number } | undefined
  /** Told when it was read anew: row numbers start over. */
  onReread: () => void = () => {}
  /** Told when the session is not at its path any more. */
  onGone: () => void = () => {}
  private readonly options: KnownFileOptions
  private readonly columns: ColumnsFile
  /** What bodies are read through: whoever has a view of this file goes on by whatever handle it has now. */
  private opened: OpenedFile
  /** Which file it is. */
  private identity: string
  /** Of the session that was opened; empty while it has no header. */
  private ownId: string
  /** Damaged ranges that `access` was judged by. */
  private judgedRanges: number
  /** How many syncs of the file had failed when it was opened. */
  private failuresBefore: number
  /** Something was read without the lock, and may have been taken back since: a write that came out short is. */
  private isUnsettled = true
  /** Handles that were replaced. Closed at the end: a read under way must not find its number given to another file. */
  private readonly retired: StorageReader[] = []

  private constructor(options: KnownFileOptions, handle: StorageReader, reader: LogReader) {
    this.options = options
    this.columns = options.columns ?? noColumns
    this.handle = handle
    this.opened = { handle }
    this.identity = handle.statSync().identity
    this.reader = reader
    this.ownId = this.header.id
    this.access = this.judge()
    this.judgedRanges = reader.skipped.length
    this.bodies = this.createBodies()
    // What is left of the cache turned out to be damaged: the log is read anew by whoever needs it next.
    this.columns.onDamage = () => {
      this.isStale = true
    }
    this.syncs = shareSyncs(options.storage, handle, this.identity)
    this.failuresBefore = this.syncs.failures
  }

  /**
   * Opens by what is `known` of it or by the saved columns where they fit, else by one scan. The file is not changed (I4).
   */
  static async open(options: KnownFileOptions, known?: KnownLog): Promise<KnownFile> {
    const { storage, path, columns = noColumns } = options
    let handle: StorageReader
    try {
      handle = storage.openReader(path)
    } catch (error) {
      throw errnoOf(error) === 'ENOENT' ? notFound(path) : storageError(error, 'The session cannot be opened', path)
    }
    try {
      const warm = (known && (await readKnown(handle, known))) ?? (await readWarm(handle, columns))
      if (warm !== undefined) return new KnownFile(options, handle, warm)
      const cold = new LogReader(undefined, handle.statSync().size)
      await scanFile(handle, cold)
      return new KnownFile(options, handle, cold)
    } catch (error) {
      handle.closeSync()
      columns.close()
      throw storageError(error, 'The session cannot be read', path)
    }
  }

  get header(): SessionHeader {
    return this.reader.header ?? { type: 'session', version: 3, id: '', timestamp: '', cwd: '' }
  }

  get dialect(): Dialect {
    return dialectOf(this.reader)
  }

  /** Tells this file from others that were or will be at its path. */
  get mark(): [identity: string, header: SessionHeader | undefined] {
    return [this.identity, this.reader.storedHeader]
  }

  /**
   * Takes in what the file holds beyond what is known, or all of it when it is not the file it was. Who does not have the
   * lock may see a write that is taken back.
   */
  catchUp(isLocked = false): void {
    this.takeWritten()
    const { storage, path } = this.options
    const { reader } = this
    const { size } = reader
    const stat = this.unlessGone(() => storage.statSync(path))
    if (stat.identity === this.identity) this.syncs.noteSize(stat.size)
    const isReplaced = stat.identity !== this.identity || this.isPoisoned
    if (isReplaced || this.isStale || stat.size < size) this.reload(isReplaced)
    else if (stat.size > size || (isLocked && this.isUnsettled)) {
      const isLonger = stat.size > size
      if (!this.isContinued()) this.reload(false)
      else if (isLonger && this.isTornRecordContinued()) {
        if (isLocked || !this.isStillTorn(stat.size)) this.reload(false)
      } else if (isLonger) this.readOn(stat.size)
    }
    this.isUnsettled = !isLocked && (this.isUnsettled || this.reader !== reader || reader.size > size)
    if (this.reader.tree.needsRescan) this.rescan()
  }

  /**
   * Takes in the whole lines that others have written by now, without the lock: what is read here, nobody has to wait for.
   * Whatever is unusual is left to who has the lock, and so is what fails.
   */
  catchUpEarly(): void {
    const { reader, handle } = this
    const { size: known } = reader
    if (this.isStale || this.isPoisoned || this.written !== undefined || reader.needsLineEnd) return
    try {
      const { identity, size } = this.options.storage.statSync(this.options.path)
      const bytes = size - known
      if (identity !== this.identity || bytes <= 0 || bytes > MAX_AHEAD_BYTES || !this.isContinued()) return
      const found = reader.room(bytes)
      const length = handle.readSync(found.subarray(0, bytes), known)
      const end = found.subarray(0, length).lastIndexOf(LINE_END) + 1
      if (end === 0) return
      this.isUnsettled = true
      this.take(() => {
        reader.push(found.subarray(0, end))
        reader.sync()
      })
      if (this.reader.tree.needsRescan) this.rescan()
    } catch {
      // Who has the lock looks again, and tells.
      if (reader.size > known) this.isStale = true
    }
  }

  /** The tree gets what was written here last. */
  takeWritten(): void {
    const { reader, written } = this
    if (written === undefined) return
    this.written = undefined
    try {
      if (written.lines.pushTo(reader)) reader.sync()
    } catch {
      // They are in the file, whatever is wrong with what we know of it.
      this.rescan()
    }
  }

  /** A cache that turns out to be damaged when it is read does not keep anyone from writing (I6). */
  loadTree(): void {
    try {
      this.reader.tree.load()
    } catch {
      this.rescan()
    }
  }

  /** Reads the log anew from its first byte. */
  rescan(): void {
    this.isStale = true
    this.use(this.scanAll())
  }

  /** The first append to a log of version 1 or 2 rewrites it as version 3; the original is kept (S16, I5). */
  migrate(): void {
    const { storage, path } = this.options
    migrateFile(storage, path, this.handle, this.reader)
    this.reload(true)
  }

  /** Readers hold the file open for reading only; the first write opens it for writing. */
  writer(): SessionStorageWriter {
    if ('writeSync' in this.handle) return this.handle
    const writer = this.openChecked('ra')
    this.retire(this.handle)
    this.handle = writer
    this.opened.handle = writer
    return writer
  }

  /** Another handle of the same file, to be closed by the caller. */
  openChecked(flags: 'ra' | 'r+'): SessionStorageWriter {
    const { storage, path } = this.options
    const writer = this.unlessGone(() => storage.openWriter(path, { flags }))
    try {
      if (writer.statSync().identity !== this.identity) throw replacedError(path)
      return writer
    } catch (error) {
      writer.closeSync()
      throw error
    }
  }

  /** What columns are saved of is synced as all else is: a failure told to them would be told to nobody who appends (D5). */
  logToSave(): SavedLog {
    const { handle, reader, syncs } = this
    const { size } = reader
    return {
      statSync: () => handle.statSync(),
      readSync: (into, position) => handle.readSync(into, position),
      datasync: () => (syncs === this.syncs ? this.sync(size) : handle.datasync()),
    }
  }

  /** False when the log was replaced: what this one knew of it, a secret since removed perhaps, is saved nowhere. */
  isStillAtPath(): boolean {
    const { storage, path } = this.options
    try {
      return storage.statSync(path).identity === this.identity
    } catch {
      // Gone, or not to be seen: then there is nothing to save columns for.
      return false
    }
  }

  readOnlyError(reason: ReadOnlyReason): TreelineError {
    const damage = reason === 'damaged' ? findDamage(this.reader, this.handle) : undefined
    return readOnlyError(this.options.path, reason, damage)
  }

  /** Resolves when the first `size` bytes are durable. */
  sync(size: number): Promise<void> {
    return this.isPoisoned ? Promise.reject(this.syncs.debt.error) : this.syncs.sync(size, this.handle)
  }

  /** After a failed sync: through this handle nothing is written or synced any more (D5). */
  private get isPoisoned(): boolean {
    return this.syncs.failures !== this.failuresBefore
  }

  closeSync(): void {
    leaveSyncs(this.options.storage, this.identity, this.syncs)
    for (const handle of [...this.retired, this.handle]) handle.closeSync()
    this.columns.close()
  }

  /** Nothing is made where the log was: whoever moved it may bring it back. */
  private unlessGone<T>(look: () => T): T {
    try {
      return look()
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error
      this.onGone()
      throw notFound(this.options.path)
    }
  }

  private readOn(end: number): void {
    this.take(() => scanFileSync(this.handle, this.reader, end))
  }

  /** Lines of others. */
  private take(lines: () => void): void {
    this.timesReadOn++
    const hadHeader = this.reader.storedHeader !== undefined
    try {
      lines()
    } catch (error) {
      if (!this.isStale) throw error
      // The new lines touched saved columns that are damaged.
      this.rescan()
      return
    }
    // Everything was read by what no header says.
    if (!hadHeader && this.reader.storedHeader !== undefined) this.rescan()
    if (this.reader.skipped.length === this.judgedRanges) return
    this.judgedRanges = this.reader.skipped.length
    this.access = this.judge()
  }

  /** False when someone emptied and rewrote the file, or took back a write that we read too early. */
  private isContinued(): boolean {
    const { lastBytes, size, openLine } = this.reader
    return this.isAt(size - lastBytes.length, lastBytes) && (openLine === undefined || this.isAt(...openLine))
  }

  /** What was taken for the rest of a line was the beginning of a record, and more of it has come. */
  private isTornRecordContinued(): boolean {
    const { endsTorn, size } = this.reader
    return endsTorn && !this.isAt(size, Uint8Array.of(LINE_END))
  }

  /** Then its line is not read again for every piece of it that comes. Who has the lock takes it as it is. */
  private isStillTorn(end: number): boolean {
    const { size } = this.reader
    const length = end - size
    if (length > MAX_AHEAD_BYTES) return false
    const found = Buffer.alloc(length)
    return this.handle.readSync(found, size) === length && !found.includes(LINE_END)
  }

  private isAt(offset: number, bytes: Uint8Array): boolean {
    const found = Buffer.alloc(bytes.length)
    this.handle.readSync(found, offset)
    return found.equals(bytes)
  }

  /** Reads the log anew, from saved columns if they are of this file and as far as they go. */
  private reload(reopen: boolean): void {
    const { syncs } = this
    this.isStale = true
    if (reopen) this.reopen()
    let reader: LogReader | undefined
    try {
      reader = this.columns.restore(this.handle)
      if (reader !== undefined) scanFileSync(this.handle, reader, this.handle.statSync().size)
    } catch {
      reader = undefined
    }
    this.use(reader?.tree.needsRescan === false ? reader : this.scanAll())
    // Whoever put another file in its place has read the one before, and left out what they left out.
    if (syncs !== this.syncs) syncs.debt.clear()
  }

  private scanAll(): LogReader {
    const { size } = this.handle.statSync()
    const reader = new LogReader(undefined, size)
    scanFileSync(this.handle, reader, size)
    return reader
  }

  private use(reader: LogReader): void {
    this.refuseOther(reader)
    this.reader = reader
    this.written = undefined
    this.judgedRanges = reader.skipped.length
    this.isStale = false
    // What was synced may have been taken back since, and what is owed too.
    this.syncs.forget()
    this.syncs.debt.forgetUnlessOf(this.handle)
    this.access = this.judge()
    this.bodies = this.createBodies()
    this.onReread()
  }

  /** What was meant for one conversation is not said in another. The one that was opened stays as it was read last. */
  private refuseOther(reader: LogReader): void {
    const found = reader.header?.id ?? ''
    if (this.ownId === '') this.ownId = found
    if (found === '' || found === this.ownId) return
    this.onGone()
    throw otherSessionError(this.options.path, this.ownId, found)
  }

  private reopen(): void {
    const handle = this.options.storage.openReader(this.options.path)
    this.retire(this.handle)
    this.handle = handle
    const { identity } = handle.statSync()
    if (identity === this.identity) this.opened.handle = handle
    else this.changeFile(handle, identity)
    this.failuresBefore = this.syncs.failures
  }

  private changeFile(handle: StorageReader, identity: string): void {
    const { storage } = this.options
    this.opened = { handle }
    leaveSyncs(storage, this.identity, this.syncs)
    this.identity = identity
    this.syncs = shareSyncs(storage, handle, identity)
  }

  /** A view that is in use goes on reading the file it was made of; one that is many replacements old does not. */
  private retire(handle: StorageReader): void {
    this.retired.push(handle)
    if (this.retired.length > MAX_RETIRED) this.retired.shift()!.closeSync()
  }

  private judge(): Access {
    const { readOnly, acceptDamage } = this.options
    if (readOnly !== undefined) return { mode: 'read', reason: readOnly }
    const access = judgeAccess(this.reader, this.handle)
    return acceptDamage && access.mode === 'read' && access.reason === 'damaged' ? { mode: 'write' } : access
  }

  private createBodies(): BodyReader {
    const { reader, opened } = this
    return new BodyReader({
      file: opened,
      // Not before it is asked for: a new log may never be looked at.
      get tree() {
        return reader.tree
      },
      version: reader.version,
      sessionId: reader.storedHeader?.id ?? '',
    })
  }
}
