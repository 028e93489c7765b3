import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Dialect, SessionHeader, Tree, TreelineError } from '@treeline/core'
import type { SessionLocks } from '../locks/locks.ts'
import type { SessionStorage, SessionStorageWriter, StorageReader } from '../storage/storage.ts'
import { writeAll } from '../storage/write-all.ts'
import { errnoOf, storageError } from '../storage-error.ts'
import { findDamage, judgeAccess } from './access.ts'
import { BodyReader } from './body-reader.ts'
import { type ColumnsFile, noColumns, type SavedLog } from './columns-file.ts'
import { CommitQueue, type Pending, type QueueOptions } from './commit-queue.ts'
import { createEpochs } from './epoch.ts'
import { HandleSyncs } from './handle-syncs.ts'
import { LineBuffer } from './line-buffer.ts'
import { dialectOf } from './log-dialect.ts'
import { closedError, notFound, type ReadOnlyReason, readOnlyError, replacedError } from './log-errors.ts'
import { LogReader } from './log-reader.ts'
import { migrateFile } from './migrate-file.ts'
import { type KnownLog, readKnown } from './read-known.ts'
import { readWarm } from './read-warm.ts'
import { scanFile, scanFileSync } from './scan-file.ts'
import type { Access, Durability, LogEvent, LogReport, LogView, Plan, SessionLog } from './session-log.ts'
import { encodeSlot, makeSlot, readSlot } from './title-slot.ts'
import { watchLog } from './watch-log.ts'
import { writeWhole } from './write-whole.ts'

export interface FileLogOptions extends QueueOptions {
  readonly storage: SessionStorage
  readonly locks: SessionLocks
  readonly path: string
  readonly columns?: ColumnsFile | undefined
  readonly durability?: Durability | undefined
  /** Why nothing may be written, whatever the file is like. */
  readonly readOnly?: 'asked' | 'foreign' | undefined
  /** Continue a log although some of its bytes are damaged: they stay where they are. */
  readonly acceptDamage?: boolean | undefined
}

const MAX_RETIRED = 4

/** A log in a file that other processes may write to as well. See DESIGN, "Many writers, one file". */
export class FileLog implements SessionLog {
  readonly path: string
  access: Access
  private readonly options: FileLogOptions
  private readonly queue: CommitQueue
  private readonly columns: ColumnsFile
  private readonly listeners = new Set<(event: LogEvent) => void>()
  private file: SessionStorageWriter | StorageReader
  private identity: string
  private reader: LogReader
  private bodies: BodyReader
  /** Damaged ranges that `access` was judged by. */
  private judgedRanges: number
  private syncs: HandleSyncs
  private announcedRows: number
  private epochName: string | undefined
  private readonly nameEpoch = createEpochs()
  /** Set from when the log was read anew until that is durable and told (W5). */
  private isResetDue = false
  /** Bytes whose sync failed: they can be read but may never reach the disk, so the next write repeats them (D5). */
  private owed: Uint8Array[] = []
  /** Set when the tree holds lines that the file may not: it is read anew before anything else is written. */
  private isStale = false
  /** Set after a failed sync: through this handle nothing is written or synced any more (D5). */
  private isPoisoned = false
  /** The handle of which the folder entry is known to be durable. */
  private placed: StorageReader | undefined
  private stopWatching: (() => void) | undefined
  /** A look that waits for our own write. */
  private looking: Promise<void> | undefined
  /** Handles that were replaced. Closed at the end: a read under way must not find its number given to another file. */
  private readonly retired: StorageReader[] = []
  private readonly busy = new Set<Promise<unknown>>()
  private closing: Promise<void> | undefined

  private constructor(options: FileLogOptions, file: StorageReader, reader: LogReader) {
    this.path = options.path
    this.options = options
    this.columns = options.columns ?? noColumns
    this.file = file
    this.syncs = new HandleSyncs(file, (unsynced) => this.poison(unsynced))
    this.identity = file.statSync().identity
    this.reader = reader
    this.access = this.judge()
    this.judgedRanges = reader.skipped.length
    this.bodies = this.createBodies()
    this.announcedRows = reader.heads.count
    // What is left of the cache turned out to be damaged: the log is read anew by whoever needs it next.
    this.columns.onDamage = () => {
      this.isStale = true
    }
    this.queue = new CommitQueue(options, (batch) => this.commitBatch(batch))
  }

  /**
   * Opens by what is `known` of it or by the saved columns where they fit, else by one scan. The file is not changed (I4).
   */
  static async open(options: FileLogOptions, known?: KnownLog): Promise<FileLog> {
    const { storage, path, columns = noColumns } = options
    let file: StorageReader
    try {
      file = storage.openReader(path)
    } catch (error) {
      throw errnoOf(error) === 'ENOENT' ? notFound(path) : storageError(error, 'The session cannot be opened', path)
    }
    try {
      const warm = (known && (await readKnown(file, known))) ?? (await readWarm(file, columns))
      if (warm !== undefined) return new FileLog(options, file, warm)
      const cold = new LogReader(undefined, file.statSync().size)
      await scanFile(file, cold)
      return new FileLog(options, file, cold)
    } catch (error) {
      file.closeSync()
      columns.close()
      throw storageError(error, 'The session cannot be read', path)
    }
  }

  get tree(): Tree {
    return this.reader.tree
  }

  get header(): SessionHeader {
    return this.reader.header ?? { type: 'session', version: 3, id: '', timestamp: '', cwd: '' }
  }

  get dialect(): Dialect {
    try {
      return dialectOf(this.reader)
    } catch {
      // Saved columns that turn out damaged: the log is read anew (I6).
      this.view()
      return dialectOf(this.reader)
    }
  }

  /** Named when it is first asked for. */
  get epoch(): string {
    this.epochName ??= this.nameEpoch(this.identity, this.reader.storedHeader)
    return this.epochName
  }

  get durableRows(): number {
    return this.announcedRows
  }

  commit<T>(plan: Plan<T>): Promise<T> {
    if (this.closing !== undefined) return Promise.reject(closedError(this.path))
    if (this.access.mode === 'read') return Promise.reject(this.readOnlyError(this.access.reason))
    return this.queue.add(plan)
  }

  async rewriteSlot(): Promise<void> {
    const { id } = this.header
    const work = this.options.locks.run(id, () => this.overwriteSlot(id))
    await this.track(this.told(work, 'The name is kept, but could not be written into the title slot'))
  }

  view(): LogView {
    if (this.isStale && this.closing === undefined) this.tryCatchUp()
    const { bodies, reader } = this
    const read = <T>(work: () => Promise<T>): Promise<T> => {
      if (this.closing !== undefined) return Promise.reject(closedError(this.path))
      return this.track(this.told(work()))
    }
    return {
      tree: reader.tree,
      readEntries: (rows) => read(() => bodies.readEntries(rows)),
      readRecords: (rows) => read(() => bodies.readRecords(rows)),
      readBytes: (into, offset) => this.readBytes(bodies, into, offset),
      hasNotes: reader.notes.length > 0,
    }
  }

  private readBytes(bodies: BodyReader, into: Uint8Array, offset: number): number {
    if (this.closing !== undefined) throw closedError(this.path)
    try {
      return bodies.readBytes(into, offset)
    } catch (error) {
      throw storageError(error, 'The session cannot be read', this.path)
    }
  }

  async refresh(): Promise<void> {
    if (this.closing !== undefined) return
    const work = async (): Promise<void> => {
      // What a failed sync left behind can be read and is on no disk perhaps: it is told of once it is written again (W5).
      if (this.owed.length > 0) return this.commitBatch([])
      this.catchUp()
      await this.announce()
    }
    await this.track(this.told(work()))
  }

  listen(listener: (event: LogEvent) => void): () => void {
    this.listeners.add(listener)
    this.stopWatching ??= watchLog(this.options.storage, this.path, () => this.lookAround())
    return () => {
      this.listeners.delete(listener)
      if (this.listeners.size > 0) return
      this.stopWatching?.()
      this.stopWatching = undefined
    }
  }

  /** Our own writes wake the watch too: whoever writes has just looked, so what else came can wait until that is told. */
  private lookAround(): Promise<void> {
    const { written } = this.queue
    if (written === undefined) return this.refresh()
    this.looking ??= written
      .then(() => setImmediate())
      .then(() => {
        this.looking = undefined
        return this.refresh()
      })
    return this.looking
  }

  report(): LogReport {
    const { skipped, notes, tornAt, tree } = this.reader
    const noted = new Set(notes.map(({ offset }) => offset))
    const found = this.bodies.notes.filter(({ offset }) => !noted.has(offset))
    const { unreadable } = this.bodies
    return {
      skipped,
      notes: [...notes, ...found],
      problems: tree.problems(),
      unreadable,
      unlisted: this.reader.unlisted,
      tornAt,
    }
  }

  flush(): Promise<void> {
    return this.queue.flush()
  }

  close(): Promise<void> {
    this.closing ??= this.finish()
    return this.closing
  }

  private async finish(): Promise<void> {
    this.stopWatching?.()
    this.listeners.clear()
    try {
      await this.queue.close()
      // Whoever was refused may try again with another handle, to which these bytes would look as good as durable.
      if (this.owed.length > 0) await this.commitBatch([]).catch(() => {})
      if (!this.isStale && this.isStillAtPath()) await this.columns.save(this.logToSave(), this.reader)
      await Promise.allSettled(this.busy)
    } finally {
      for (const file of [...this.retired, this.file]) file.closeSync()
      this.columns.close()
    }
  }

  /** False when the log was replaced: what this one knew of it, a secret since removed perhaps, is saved nowhere. */
  private isStillAtPath(): boolean {
    try {
      return this.options.storage.statSync(this.path).identity === this.identity
    } catch {
      // Gone, or not to be seen: then there is nothing to save columns for.
      return false
    }
  }

  private track<T>(work: Promise<T>): Promise<T> {
    this.busy.add(work)
    const done = () => this.busy.delete(work)
    work.then(done, done)
    return work
  }

  private told<T>(work: Promise<T>, what = 'The session cannot be read'): Promise<T> {
    return work.catch((error) => {
      throw storageError(error, what, this.path)
    })
  }

  private async commitBatch(batch: readonly Pending[]): Promise<void> {
    const { id } = this.header
    let firstOwn: number
    try {
      firstOwn = await this.options.locks.run(id, () => this.write(batch, id))
    } catch (error) {
      // So that nobody is shown what was refused. If that fails too, the next one who comes tries again.
      if (this.isStale) this.tryCatchUp()
      throw storageError(error, 'The entry could not be stored', this.path)
    }
    if (this.isSynced) await this.announce()
    else this.tell()
    this.columns.saveSoon(this.logToSave(), this.reader, firstOwn)
  }

  /** What columns are saved of is synced as all else is: a failure told to them would be told to nobody who appends (D5). */
  private logToSave(): SavedLog {
    const { file, reader, syncs } = this
    return {
      statSync: () => file.statSync(),
      readSync: (into, position) => file.readSync(into, position),
      datasync: () => (file === this.file ? syncs.sync(reader.size) : file.datasync()),
    }
  }

  /** Under the lock: catch up, plan each request on what is there, write all of it at once. Returns the first row of ours. */
  private write(batch: readonly Pending[], lockedId: string): number {
    this.catchUp()
    this.loadTree()
    if (this.header.id !== lockedId) throw replacedError(this.path)
    if (this.access.mode === 'read') throw this.readOnlyError(this.access.reason)
    if (this.reader.version < 3) this.migrate()
    const file = this.writer()
    const base = this.reader.size
    const firstOwn = this.reader.heads.count
    const lines = new LineBuffer(this.reader.needsLineEnd)
    let isKept = false
    try {
      this.plan(batch, lines)
      if (lines.isEmpty) return firstOwn
      this.append(file, lines, base)
      isKept = this.isSynced
      this.beginSync(file, lines, base)
      this.take(lines)
      return firstOwn
    } finally {
      if (!isKept) lines.giveBack()
    }
  }

  /** Each request on what those before it have added. */
  private plan(batch: readonly Pending[], lines: LineBuffer): void {
    const { reader } = this
    for (const bytes of this.owed) lines.addBytes(bytes)
    try {
      for (const request of batch) {
        if (lines.pushTo(reader)) reader.sync()
        request.plan(reader.tree, lines)
      }
    } catch (error) {
      this.isStale = true
      throw error
    }
  }

  private append(file: SessionStorageWriter, lines: LineBuffer, base: number): void {
    try {
      writeWhole(file, lines.bytes, base)
    } catch (error) {
      this.isStale = true
      throw error
    }
    this.owed = []
    if (this.isSynced) this.syncs.keep(lines)
  }

  private beginSync(file: SessionStorageWriter, lines: LineBuffer, base: number): void {
    const end = base + lines.bytes.length
    // A program that knows no lock appended in between: our lines are not where we think.
    if (file.statSync().size !== end) this.isStale = true
    // The disk is at work while the tree takes the last lines.
    else if (this.isSynced) this.syncs.sync(end)
  }

  private take(lines: LineBuffer): void {
    try {
      if (lines.pushTo(this.reader)) this.reader.sync()
    } catch {
      // They are in the file, whatever is wrong with what we know of it.
      this.rescan()
    }
  }

  /** Under the lock. Through a handle of its own: that of the log only ever appends. */
  private overwriteSlot(lockedId: string): void {
    this.catchUp()
    this.loadTree()
    if (this.header.id !== lockedId) throw replacedError(this.path)
    const { name } = this.tree.edits
    if (name === undefined) return
    const file = this.options.storage.openWriter(this.path, { flags: 'r+' })
    try {
      if (file.statSync().identity !== this.identity) throw replacedError(this.path)
      if (readSlot(file) === undefined) return
      const slot = makeSlot(name ?? '', new Date().toISOString())
      writeAll(file, encodeSlot(slot))
      if (this.isSynced) file.datasyncSync()
      this.reader.useSlot(slot)
    } finally {
      file.closeSync()
    }
  }

  private get isSynced(): boolean {
    return this.options.durability !== 'written'
  }

  /** Takes in what the file holds beyond what is known, or all of it when it is not the file it was. */
  private catchUp(): void {
    const { storage } = this.options
    let stat: ReturnType<SessionStorage['statSync']>
    try {
      stat = storage.statSync(this.path)
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error
      for (const listener of this.listeners) listener({ type: 'gone' })
      throw notFound(this.path)
    }
    const isReplaced = stat.identity !== this.identity || this.isPoisoned
    if (isReplaced || this.isStale || stat.size < this.reader.size) this.reload(isReplaced)
    else if (stat.size > this.reader.size) {
      if (this.isContinued()) this.readOn(stat.size)
      else this.reload(false)
    }
    if (this.reader.tree.needsRescan) this.rescan()
  }

  private tryCatchUp(): void {
    try {
      this.catchUp()
    } catch {
      // The file may be gone or the disk bad; whoever asks for something next is told.
    }
    if (this.isResetDue && this.listeners.size > 0) this.refresh().catch(() => {})
  }

  private readOn(end: number): void {
    try {
      scanFileSync(this.file, this.reader, end)
    } catch (error) {
      if (!this.isStale) throw error
      // The new lines touched saved columns that are damaged.
      this.rescan()
      return
    }
    if (this.reader.skipped.length === this.judgedRanges) return
    this.judgedRanges = this.reader.skipped.length
    this.access = this.judge()
  }

  /** A cache that turns out to be damaged when it is read does not keep anyone from writing (I6). */
  private loadTree(): void {
    try {
      this.reader.tree.load()
    } catch {
      this.rescan()
    }
  }

  /** False when someone emptied and rewrote the file, or took back a write that we read too early. */
  private isContinued(): boolean {
    const { lastBytes, size } = this.reader
    const found = Buffer.alloc(lastBytes.length)
    this.file.readSync(found, size - found.length)
    return found.equals(lastBytes)
  }

  /** Reads the log anew, from saved columns if they are of this file and as far as they go. */
  private reload(reopen: boolean): void {
    this.isStale = true
    if (reopen) this.reopen()
    let reader: LogReader | undefined
    try {
      reader = this.columns.restore(this.file)
      if (reader !== undefined) scanFileSync(this.file, reader, this.file.statSync().size)
    } catch {
      reader = undefined
    }
    this.use(reader?.tree.needsRescan === false ? reader : this.scanAll())
  }

  /** Reads the log anew from its first byte. */
  private rescan(): void {
    this.isStale = true
    this.use(this.scanAll())
  }

  private scanAll(): LogReader {
    const { size } = this.file.statSync()
    const reader = new LogReader(undefined, size)
    scanFileSync(this.file, reader, size)
    return reader
  }

  private use(reader: LogReader): void {
    this.reader = reader
    this.judgedRanges = reader.skipped.length
    this.isStale = false
    // What was synced may have been taken back since.
    this.syncs.forget()
    this.access = this.judge()
    this.bodies = this.createBodies()
    this.announcedRows = 0
    this.epochName = undefined
    this.isResetDue = true
  }

  private reopen(): void {
    const file = this.options.storage.openReader(this.path)
    this.retire(this.file)
    this.file = file
    this.syncs = this.syncs.replaceBy(file)
    this.identity = file.statSync().identity
    this.isPoisoned = false
  }

  /** A view that is in use goes on reading the file it was made of; one that is many replacements old does not. */
  private retire(file: StorageReader): void {
    this.retired.push(file)
    if (this.retired.length > MAX_RETIRED) this.retired.shift()!.closeSync()
  }

  /** Readers hold the file open for reading only; the first write opens it for writing. */
  private writer(): SessionStorageWriter {
    if ('writeSync' in this.file) return this.file
    const writer = this.options.storage.openWriter(this.path, { flags: 'a' })
    try {
      if (writer.statSync().identity !== this.identity) throw replacedError(this.path)
    } catch (error) {
      writer.closeSync()
      throw error
    }
    this.retire(this.file)
    this.file = writer
    this.syncs = this.syncs.replaceBy(writer)
    this.bodies.useFile(writer)
    return writer
  }

  /** Makes everything taken in so far durable, then tells of it. A sync that fails ends this handle (D5). */
  private async announce(): Promise<void> {
    const { reader, file } = this
    const { size } = reader
    const rows = reader.heads.count
    if (!this.syncs.isDurable(size)) await this.told(this.syncs.sync(size), 'The entry could not be made durable')
    // Also when an earlier announcement has synced the file and then failed here.
    if ('writeSync' in file && this.placed !== file) await this.placeDurably(file)
    if (reader === this.reader) this.tell(rows)
  }

  /** After a failed sync: what it may have lost is written again before anything else. */
  private poison(unsynced: Uint8Array[]): void {
    this.owed = [...this.owed, ...unsynced]
    this.isPoisoned = true
  }

  /** Once for a file: whoever created it or renamed it here may have died, or failed, before syncing the folder. */
  private async placeDurably(file: StorageReader): Promise<void> {
    await this.told(this.options.storage.syncDir(dirname(this.path)), 'The entry could not be made durable')
    this.placed = file
  }

  private tell(to = this.reader.heads.count): void {
    const { announcedRows: from, isResetDue } = this
    if (to <= from && !isResetDue) return
    this.announcedRows = to
    this.isResetDue = false
    for (const listener of this.listeners)
      listener(isResetDue ? { type: 'reset', epoch: this.epoch } : { type: 'lines', from, to })
  }

  /** The first append to a log of version 1 or 2 rewrites it as version 3; the original is kept (S16, I5). */
  private migrate(): void {
    migrateFile(this.options.storage, this.path, this.file, this.reader)
    this.reload(true)
  }

  private judge(): Access {
    const { readOnly, acceptDamage } = this.options
    if (readOnly !== undefined) return { mode: 'read', reason: readOnly }
    const access = judgeAccess(this.reader, this.file)
    return acceptDamage && access.mode === 'read' && access.reason === 'damaged' ? { mode: 'write' } : access
  }

  private readOnlyError(reason: ReadOnlyReason): TreelineError {
    return readOnlyError(this.path, reason, reason === 'damaged' ? findDamage(this.reader, this.file) : undefined)
  }

  private createBodies(): BodyReader {
    const { reader, file } = this
    return new BodyReader({
      file,
      tree: reader.tree,
      version: reader.version,
      sessionId: reader.storedHeader?.id ?? '',
    })
  }
}
