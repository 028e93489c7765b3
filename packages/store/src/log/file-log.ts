import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Dialect, SessionHeader, Tree } from '@treeline/core'
import type { AroundLock, SessionLocks } from '../locks/locks.ts'
import type { SessionStorageWriter, StorageReader } from '../storage/storage.ts'
import { writeAll } from '../storage/write-all.ts'
import { storageError } from '../storage-error.ts'
import { BatchPlanning } from './batch-planning.ts'
import type { BodyReader } from './body-reader.ts'
import { type ColumnsFile, noColumns, type SavedLog } from './columns-file.ts'
import { CommitQueue, type Pending, type QueueOptions } from './commit-queue.ts'
import { createEpochs } from './epoch.ts'
import { KnownFile, type KnownFileOptions } from './known-file.ts'
import { LineBuffer } from './line-buffer.ts'
import { closedError, replacedError } from './log-errors.ts'
import type { KnownLog } from './read-known.ts'
import type { Access, Durability, LogEvent, LogReport, LogView, Plan, SessionLog } from './session-log.ts'
import { encodeSlot, makeSlot, readSlot } from './title-slot.ts'
import { watchLog } from './watch-log.ts'
import { writeWhole } from './write-whole.ts'

export interface FileLogOptions extends QueueOptions, KnownFileOptions {
  readonly locks: SessionLocks
  readonly durability?: Durability | undefined
}

/** What is planned beyond it is the next batch's. */
const MAX_BATCH_BYTES = 64 * 1024 * 1024
const NOT_DURABLE = 'The entry could not be made durable'

/** A log in a file that other processes may write to as well. See DESIGN, "Many writers, one file". */
export class FileLog implements SessionLog {
  readonly path: string
  private readonly options: FileLogOptions
  private readonly known: KnownFile
  private readonly queue: CommitQueue
  private readonly columns: ColumnsFile
  private readonly listeners = new Set<(event: LogEvent) => void>()
  private announcedRows: number
  private epochName: string | undefined
  private readonly nameEpoch = createEpochs()
  /** Set from when the log was read anew until that is durable and told (W5). */
  private isResetDue = false
  /** The handle of which the folder entry is known to be durable. */
  private placed: StorageReader | undefined
  private stopWatching: (() => void) | undefined
  /** A look that waits for our own write. */
  private looking: Promise<void> | undefined
  private readonly busy = new Set<Promise<unknown>>()
  /** Others wrote during the last batch. */
  private isCrowded = false
  private readonly aroundWrite: AroundLock = {
    whileWaiting: () => this.known.catchUpEarly(),
    afterwards: () => this.goOn(),
  }
  private closing: Promise<void> | undefined

  private constructor(options: FileLogOptions, known: KnownFile) {
    this.path = options.path
    this.options = options
    this.columns = options.columns ?? noColumns
    this.known = known
    this.announcedRows = this.isSynced ? rowsBefore(known) : known.reader.rowCount
    known.onReread = () => {
      this.announcedRows = 0
      this.epochName = undefined
      this.isResetDue = true
    }
    known.onGone = () => {
      for (const listener of this.listeners) listener({ type: 'gone' })
    }
    this.queue = new CommitQueue(options, (batch) => this.commitBatch(batch))
  }

  /** By what is `known` of it, if that is so. The file is not changed (I4). */
  static async open(options: FileLogOptions, known?: KnownLog): Promise<FileLog> {
    return new FileLog(options, await KnownFile.open(options, known))
  }

  get tree(): Tree {
    this.mend()
    return this.known.reader.tree
  }

  get header(): SessionHeader {
    return this.known.header
  }

  get access(): Access {
    return this.known.access
  }

  get dialect(): Dialect {
    return this.whole(() => this.known.dialect)
  }

  /** Named when it is first asked for. */
  get epoch(): string {
    this.epochName ??= this.nameEpoch(...this.known.mark)
    return this.epochName
  }

  get durableRows(): number {
    return this.announcedRows
  }

  commit<T>(plan: Plan<T>): Promise<T> {
    if (this.closing !== undefined) return Promise.reject(closedError(this.path))
    const { access } = this
    // For whatever else it was not written to, somebody may have mended it.
    const isLasting = access.mode === 'read' && (access.reason === 'asked' || access.reason === 'foreign')
    return isLasting ? Promise.reject(this.known.readOnlyError(access.reason)) : this.queue.add(plan)
  }

  async rewriteSlot(): Promise<void> {
    const { id } = this.header
    const work = this.options.locks.run(id, () => this.overwriteSlot(id))
    await this.track(this.told(work, 'The name is kept, but could not be written into the title slot'))
  }

  view(): LogView {
    this.mend()
    const { bodies, reader } = this.known
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
    const { told } = await this.look()
    await told
  }

  /**
   * Takes in what others wrote, and does not wait until that is durable and told of, which `told` does: for who copies it
   * meanwhile, and waits before there is a copy.
   */
  async look(): Promise<{ readonly told: Promise<void> }> {
    if (this.closing !== undefined) return { told: Promise.resolve() }
    const { promise: seen, resolve } = Promise.withResolvers<void>()
    const work = async (): Promise<void> => {
      this.known.catchUp()
      resolve()
      // What a failed sync left behind can be read and is on no disk perhaps: it is told of once it is written again (W5).
      if (this.isInDebt) await this.repay()
      // Who reads only leaves that to those who owe it, and is woken by it.
      else if (this.isSynced && this.known.syncs.debt.isOwed) return
      else await this.announce()
    }
    const told = this.track(this.told(work()))
    // Heard by who waits for it; one who has meanwhile failed does not.
    told.catch(() => {})
    await Promise.race([seen, told])
    return { told }
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
    // What is written again wakes the watch once more.
    if (this.isPausing) return Promise.reject(this.known.syncs.debt.error)
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
    return this.whole(() => {
      const { reader, bodies } = this.known
      const { skipped, notes, tornAt, tree, unlisted } = reader
      const noted = new Set(notes.map(({ offset }) => offset))
      const found = bodies.notes.filter(({ offset }) => !noted.has(offset))
      const { unreadable } = bodies
      return { skipped, notes: [...notes, ...found], problems: tree.problems(), unreadable, unlisted, tornAt }
    })
  }

  /** What looks at all there is may find saved columns damaged on the way: the log is read anew then (I6). */
  private whole<T>(look: () => T): T {
    this.mend()
    try {
      return look()
    } catch (error) {
      if (!this.known.isStale) throw error
      this.mend()
      return look()
    }
  }

  private mend(): void {
    if (this.known.isStale && this.closing === undefined) this.tryCatchUp()
  }

  flush(): Promise<void> {
    return this.queue.flush()
  }

  close(): Promise<void> {
    this.closing ??= this.finish()
    return this.closing
  }

  private async finish(): Promise<void> {
    const { known } = this
    this.stopWatching?.()
    this.listeners.clear()
    try {
      await this.queue.close()
      // Whoever was refused may try again with another handle, to which these bytes would look as good as durable.
      if (this.isInDebt) await this.repay().catch(() => {})
      const isSound = !known.isStale && !known.syncs.debt.isOwed && known.isStillAtPath()
      if (isSound) await this.columns.save(this.logToSave(), known.reader)
      await Promise.allSettled(this.busy)
    } finally {
      known.closeSync()
    }
  }

  /** A sync that is asked for in the background comes before the file is closed. */
  private logToSave(): SavedLog {
    const log = this.known.logToSave()
    return { ...log, datasync: () => this.track(log.datasync()) }
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
    // As long as that fails, nothing more is written that would have to be written again.
    if (this.isInDebt) await this.repay()
    await this.writeBatch(batch)
  }

  /** Whether there are lines that have to be written again by whoever promises that what they write is durable. */
  get isInDebt(): boolean {
    return this.isSynced && this.access.mode === 'write' && this.known.syncs.debt.isOwed
  }

  /** Whether that was tried just now, so that nobody who was not asked tries again. */
  get isPausing(): boolean {
    return this.isInDebt && this.known.syncs.debt.isPausing
  }

  /** Writes again what a failed sync may have lost (D5). */
  private async repay(): Promise<void> {
    const { debt } = this.known.syncs
    try {
      await this.writeBatch([])
      debt.endPauses()
    } catch (error) {
      debt.pause(error)
      throw error
    }
  }

  private async writeBatch(batch: readonly Pending[]): Promise<void> {
    const { known } = this
    const { timesReadOn } = known
    let firstOwn: number
    try {
      // Who reads only has no id to lock by, perhaps.
      if (this.access.mode === 'read') known.catchUp()
      const { id } = this.header
      if (this.isCrowded) known.catchUpEarly()
      firstOwn = await this.options.locks.run(id, () => this.write(batch, id), this.aroundWrite)
    } catch (error) {
      // So that nobody is shown what was refused. If that fails too, the next one who comes tries again.
      if (known.isStale) this.tryCatchUp()
      throw storageError(error, 'The entry could not be stored', this.path)
    }
    this.isCrowded = known.timesReadOn > timesReadOn
    if (this.isSynced) await this.announce()
    else this.tell()
    this.columns.saveSoon(this.logToSave(), known.reader, firstOwn)
  }

  /** Under the lock: catch up, plan each request on what is there, write all of it at once. Returns the first row of ours. */
  private write(batch: readonly Pending[], lockedId: string): number {
    const { known } = this
    this.catchUpLocked(lockedId)
    if (this.access.mode === 'read') throw known.readOnlyError(this.access.reason)
    if (known.reader.version < 3) known.migrate()
    const writer = known.writer()
    const base = known.reader.size
    const firstOwn = known.reader.heads.count
    const lines = new LineBuffer(known.reader.needsLineEnd)
    try {
      this.plan(batch, lines)
      if (!lines.isEmpty) this.append(writer, lines, base)
      return firstOwn
    } finally {
      if (known.written?.lines !== lines) lines.giveBack()
    }
  }

  /** The lock is free again: the disk is at work while the tree takes the new lines. */
  private goOn(): void {
    const { known, isSynced } = this
    const { written } = known
    if (written === undefined) return
    if (isSynced && !known.isStale) known.sync(written.end).catch(() => {})
    known.takeWritten()
    if (!isSynced) written.lines.giveBack()
  }

  private catchUpLocked(lockedId: string): void {
    this.known.catchUp(true)
    this.known.loadTree()
    if (this.header.id !== lockedId) throw replacedError(this.path)
  }

  /** Each request on what those before it have added. */
  private plan(batch: readonly Pending[], lines: LineBuffer): void {
    const { known } = this
    const planning = new BatchPlanning(known.reader, lines)
    if (this.isInDebt) for (const bytes of known.syncs.debt.lines) lines.addBytes(bytes)
    for (const request of batch) {
      if (lines.mark() > MAX_BATCH_BYTES) return
      request.plan(planning, lines)
      if (planning.failure === undefined) continue
      known.isStale = true
      throw planning.failure.error
    }
  }

  private append(writer: SessionStorageWriter, lines: LineBuffer, base: number): void {
    const { known } = this
    try {
      writeWhole(writer, lines.bytes, base)
    } catch (error) {
      known.isStale = true
      throw error
    }
    if (this.isSynced) {
      known.syncs.debt.clear()
      known.syncs.keep(lines, base)
    }
    const end = base + lines.bytes.length
    known.written = { lines, end }
    // A program that knows no lock appended in between: our lines are not where we think.
    if (sizeOf(writer) !== end) known.isStale = true
  }

  /** Under the lock. Through a handle of its own: that of the log only ever appends. */
  private overwriteSlot(lockedId: string): void {
    this.catchUpLocked(lockedId)
    const { name } = this.tree.edits
    if (name === undefined) return
    const writer = this.known.openChecked('r+')
    try {
      if (readSlot(writer) === undefined) return
      const slot = makeSlot(name ?? '', new Date().toISOString())
      writeAll(writer, encodeSlot(slot))
      if (this.isSynced) this.syncSlot(writer)
      this.known.reader.useSlot(slot)
    } finally {
      writer.closeSync()
    }
  }

  /** It covers all of the file: so does what it may lose. */
  private syncSlot(writer: SessionStorageWriter): void {
    try {
      writer.datasyncSync()
    } catch (error) {
      this.known.syncs.fail(writer, error)
      throw error
    }
  }

  private get isSynced(): boolean {
    return this.options.durability !== 'written'
  }

  /** Takes in what the file holds, and makes nobody wait for more than that. */
  tryCatchUp(): void {
    try {
      this.known.catchUp()
    } catch {
      // The file may be gone or the disk bad; whoever asks for something next is told.
    }
    // What is owed is told of once it is written again: to look for it here would be to write it again at once.
    if (this.isResetDue && this.listeners.size > 0 && !this.known.syncs.debt.isOwed) this.refresh().catch(() => {})
  }

  /** Makes everything taken in so far durable, then tells of it. */
  private async announce(): Promise<void> {
    const { reader, handle, syncs } = this.known
    const { size } = reader
    const rows = reader.heads.count
    if (!syncs.isDurable(size)) await this.told(this.known.sync(size), NOT_DURABLE)
    // Also when an earlier announcement has synced the file and then failed here.
    if ('writeSync' in handle && this.placed !== handle) await this.placeDurably(handle)
    if (reader === this.known.reader) this.tell(rows)
  }

  /** Once for a file: whoever created it or renamed it here may have died, or failed, before syncing the folder. */
  private async placeDurably(handle: StorageReader): Promise<void> {
    await this.told(this.options.storage.syncDir(dirname(this.path)), NOT_DURABLE)
    this.placed = handle
  }

  private tell(to = this.known.reader.heads.count): void {
    const { announcedRows: from, isResetDue } = this
    if (to <= from && !isResetDue) return
    this.announcedRows = to
    this.isResetDue = false
    for (const listener of this.listeners)
      listener(isResetDue ? { type: 'reset', epoch: this.epoch } : { type: 'lines', from, to })
  }
}

/** Nothing when the disk does not say: the lines are written all the same. */
function sizeOf(writer: SessionStorageWriter): number | undefined {
  try {
    return writer.statSync().size
  } catch {
    return undefined
  }
}

/** What is owed may be on no disk: it is told of once it is written again (W5). */
function rowsBefore({ reader, syncs }: KnownFile): number {
  if (!syncs.debt.isOwed) return reader.rowCount
  const { heads } = reader
  let rows = heads.count
  while (rows > 0 && heads.offsetOf(rows - 1) >= syncs.debt.offset) rows--
  return rows
}
