import { dirname, isAbsolute, resolve } from 'node:path'
import { type Entry, Flag, ROOT, type SessionHeader, TreelineError, takeRunCrc } from '@treeline/core'
import type { BlobRef } from './blobs/blob-ref.ts'
import type { BlobStore } from './blobs/blob-store.ts'
import { withFolders } from './blobs/foreign-blobs.ts'
import type { Home } from './home.ts'
import { rememberInPlaceLog } from './house/in-place-logs.ts'
import { listSessions } from './list-sessions.ts'
import { createColumnsFile } from './log/columns-file.ts'
import { columnsKey } from './log/columns-key.ts'
import { FileLog, type FileLogOptions } from './log/file-log.ts'
import { LogReader } from './log/log-reader.ts'
import type { KnownLog } from './log/read-known.ts'
import { findLog, findLogs, findNamedLogs } from './log-files.ts'
import { makeHeader } from './make-header.ts'
import { writeNewLog } from './new-log.ts'
import { carryBlobs } from './session/carry-blobs.ts'
import { entryLines } from './session/entry-lines.ts'
import { type ForkOptions, planFork } from './session/fork.ts'
import { forkLines } from './session/fork-lines.ts'
import { nameToSay } from './session/fork-operations.ts'
import { LeftOut } from './session/left-out.ts'
import { createPartials } from './session/partials.ts'
import { Session } from './session/session.ts'
import type { SessionSummary } from './session/summary.ts'
import { withEdit, withLabels } from './session/with-edit.ts'
import { startLogAt } from './start-log-at.ts'
import { storageError } from './storage-error.ts'
import type {
  ContinueOptions,
  CreateOptions,
  OpenOptions,
  OpenPathOptions,
  SessionStore,
  StoreOptions,
} from './store.ts'

export interface LogStoreParts extends Home, StoreOptions {}

interface SharedLog {
  readonly log: Promise<FileLog>
  /** Others are no longer told that it is open. */
  readonly leave: () => void
  users: number
}

/** What a fork is made of. */
interface ForkSource {
  readonly log: FileLog
  readonly blobs: BlobStore
}

interface NewSession {
  readonly header: SessionHeader
  readonly lines: AsyncIterable<readonly Uint8Array[]>
  /** Told of the lines. */
  readonly reader: LogReader
  /** Whether somebody chose the id: then somebody else may choose the same. */
  readonly isChosen: boolean
  /** What the session is not there before. */
  readonly before?: Promise<unknown>
  /** Where it goes on, if that is known. Asked when all lines are there. */
  readonly leafId?: (() => string | null) | undefined
}

/** Of every session that is open, whichever store opened it: one store forks what another holds. */
const forkSources = new WeakMap<Session, ForkSource>()

/** Sessions as log files, on a disk or in memory. Sessions opened twice share one log and one tree. */
export class LogStore implements SessionStore {
  private readonly parts: LogStoreParts
  private readonly logs = new Map<string, SharedLog>()
  private readonly sessions = new Set<Session>()
  private isClosed = false

  constructor(parts: LogStoreParts) {
    this.parts = parts
  }

  async create(options: CreateOptions = {}): Promise<Session> {
    this.refuseClosed()
    const { entries, operations = [], onLeftOut } = options
    const header = this.newHeader(options)
    let at = header.timestamp
    const noted = (entry: Entry): void => {
      at = entry.timestamp
    }
    const reader = new LogReader()
    const lines = entries && entryLines(entries, this.parts.blobs.put, noted, reader)
    // As old as what it is about, and the same each time: a session that was only read is not active now.
    const origin = () => ({ sessionId: header.id, at })
    const all = withEdit(lines, reader, operations, new LeftOut(onLeftOut), origin)
    return this.openNew({ header, lines: all, reader, isChosen: options.id !== undefined })
  }

  async open(id: string, options: OpenOptions = {}): Promise<Session> {
    this.refuseClosed()
    return this.openLog(findLog(this.parts, id), options)
  }

  async openPath(path: string, options: OpenPathOptions = {}): Promise<Session> {
    this.refuseClosed()
    const file = resolve(path)
    const isStarted = await this.startAt(file, options)
    const session = await this.openLog(file, options)
    // Someone here may have had it open as the empty file it was.
    if (isStarted) await session.refresh()
    return session
  }

  async fork(source: Session, options: ForkOptions = {}): Promise<Session> {
    this.refuseClosed()
    const found = forkSources.get(source)
    if (found === undefined)
      throw new TreelineError('bad_request', 'Only an open session can be forked. Open it again.')
    const { log, blobs } = found
    const { how = 'path', nodeId = source.leafId, title = source.name } = options
    // Of a log without a header neither is known, but where it is.
    const { id, createdAt, cwd = source.header.cwd || undefined, parentSession = source.id || source.path } = options
    // What other writers were promised is part of it; they are told of it once it is durable, as ever.
    const { told } = await log.look()
    refuseNoLog(log)
    const view = log.view()
    const { tree } = view
    const ref = nodeId === null ? ROOT : tree.ids.find(nodeId)
    if (ref < ROOT || (ref > ROOT && !tree.columns.has(ref, Flag.known))) {
      throw new TreelineError('node_not_found', `There is no entry ${nodeId} in session ${source.id}.`)
    }
    const header = this.newHeader({ id, cwd, title: headerTitle(source, how, title), parentSession, createdAt })
    const plan = planFork(tree, how, ref, source.leafId === null ? ROOT : tree.ids.find(source.leafId))
    const leftOut = new LeftOut(options.onLeftOut)
    const reader = new LogReader()
    using runCrc = takeRunCrc()
    const copied = forkLines({ view, plan, runCrc }, leftOut, reader)
    const { blobs: own } = this.parts
    const lines = blobs === own ? copied : carryBlobs(copied, blobs, own, leftOut)
    const { labels, leafId: end } = plan
    const isChosen = id !== undefined
    const name = nameToSay(title, how === 'whole' ? source.name : undefined)
    if (labels === undefined || end === undefined) {
      const operations = name === undefined ? plan.operations : [...plan.operations, { op: 'name', name } as const]
      const all = withEdit(lines, reader, operations, leftOut)
      return await this.openNew({ header, lines: all, reader, isChosen, before: told })
    }
    const all = withLabels(lines, reader, { labels, name, leafId: end, source: tree }, leftOut)
    const leafId = (): string | null => leftOut.above(end)
    return await this.openNew({ header, lines: all, reader, isChosen, before: told, leafId })
  }

  async forkFrom(
    path: string,
    { blobFolders, ...options }: ForkOptions & Pick<OpenPathOptions, 'blobFolders'> = {},
  ): Promise<Session> {
    await using source = await this.openPath(path, { readOnly: true, blobFolders })
    return await this.fork(source, options)
  }

  async continueRecent({ cwd = process.cwd(), preferred }: ContinueOptions = {}): Promise<Session> {
    this.refuseClosed()
    const wanted = await preferred?.(cwd)
    if (wanted !== undefined) {
      const open = () => (isAbsolute(wanted) ? this.openPath(wanted) : this.open(wanted))
      const session = await unlessMissing(open)
      if (session !== undefined) return session
    }
    const listed = await this.list({ cwd })
    const inOrder = [...listed.filter((one) => !isLeftEmpty(one)), ...listed.filter(isLeftEmpty)]
    for (const summary of inOrder) {
      // One without a header is of no project for certain.
      if (summary.problem !== undefined || summary.cwd !== cwd) continue
      const session = await unlessMissing(() => this.openPath(summary.path))
      if (session !== undefined) return session
    }
    return this.create({ cwd })
  }

  async list({ cwd }: { readonly cwd?: string } = {}): Promise<readonly SessionSummary[]> {
    this.refuseClosed()
    return listSessions(this.parts, cwd)
  }

  async exists(id: string): Promise<boolean> {
    this.refuseClosed()
    return findLogs(this.parts, id).length > 0
  }

  async putBlob(bytes: Uint8Array): Promise<BlobRef> {
    this.refuseClosed()
    return this.parts.blobs.put(bytes)
  }

  async readBlob(ref: BlobRef): Promise<Uint8Array | undefined> {
    this.refuseClosed()
    return this.parts.blobs.read(ref)
  }

  async close(): Promise<void> {
    this.isClosed = true
    const closed = await Promise.allSettled([...this.sessions].map((session) => session.close()))
    this.parts[Symbol.dispose]()
    const failed = closed.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Writes the log of a new session, and opens it by what the reader has come to know of it on the way. */
  private async openNew({ header, lines, reader, isChosen, before, leafId }: NewSession): Promise<Session> {
    const { storage, paths } = this.parts
    const path = paths.sessionFile(header)
    const mayPlace = (): boolean => {
      this.refuseTaken(header.id, findNamedLogs(this.parts, header.id))
      return true
    }
    if (isChosen) mayPlace()
    let folder: Promise<void>
    try {
      storage.ensureDirSync(dirname(path))
      // Another process may have made the folder and died before that was durable.
      folder = storage.syncDir(dirname(dirname(path)))
    } catch (error) {
      throw storageError(error, 'The session could not be made', path)
    }
    const claim = isChosen ? { lockId: header.id, mayPlace } : undefined
    const log = { path, header, lines, reader, claim, before: Promise.all([folder, before]) }
    const identity = await writeNewLog(this.parts, log)
    return this.openLog(path, {}, identity === undefined ? undefined : { reader, identity, leafId: leafId?.() })
  }

  private async startAt(path: string, { create, inPlace = false, readOnly }: OpenPathOptions): Promise<boolean> {
    if (!create || readOnly) return false
    return startLogAt(this.parts, { path, inPlace, header: this.newHeader(create === true ? {} : create) })
  }

  private async openLog(path: string, options: Omit<OpenPathOptions, 'create'>, known?: KnownLog): Promise<Session> {
    this.refuseClosed()
    const isForeign = !this.parts.paths.isSessionFile(path)
    const readOnly = options.readOnly ? 'asked' : isForeign && !options.inPlace ? 'foreign' : undefined
    const key = `${readOnly ?? ''}:${options.acceptDamage ?? false}:${path}`
    const isInPlace = isForeign && readOnly === undefined
    let shared = this.logs.get(key)
    const isShared = shared !== undefined
    if (shared === undefined) {
      // Before it is read, so that nobody who finds it closed removes it in between.
      const leave = readOnly === undefined ? this.parts.presence.enter(path) : () => {}
      const opening = FileLog.open(this.logOptions(path, readOnly, options.acceptDamage), known)
      shared = { log: isInPlace ? this.remembered(opening) : opening, leave, users: 0 }
      this.logs.set(key, shared)
    }
    shared.users++
    const held = shared
    const letGo = async (): Promise<void> => {
      if (--held.users > 0) return
      if (this.logs.get(key) === held) this.logs.delete(key)
      await log.close().finally(held.leave)
    }
    const release = (): Promise<void> => {
      this.sessions.delete(session)
      forkSources.delete(session)
      return letGo()
    }
    let log: FileLog
    try {
      log = await held.log
    } catch (error) {
      if (this.logs.get(key) === held) this.logs.delete(key)
      held.leave()
      throw error
    }
    if (isShared) await bringUpToDate(log).catch((error) => letGo().then(() => Promise.reject(error)))
    const folders = (options.blobFolders ?? []).map((folder) => resolve(folder))
    const blobs = withFolders(this.parts.blobs, this.parts.storage, folders)
    const { storage, paths, presence } = this.parts
    const partials = createPartials(storage, paths, log.header.id)
    const session = new Session({ log, blobs, isInPlace, partials, presence, release, leafId: known?.leafId })
    this.sessions.add(session)
    if (this.isClosed) {
      // Closed while the log was being opened: this one was not among those that were closed.
      await session.close()
      this.refuseClosed()
    }
    forkSources.set(session, { log, blobs })
    return session
  }

  /** Blobs that a log outside of the home names are kept for it, so it has to be known. */
  private async remembered(opening: Promise<FileLog>): Promise<FileLog> {
    const log = await opening
    try {
      await rememberInPlaceLog(this.parts, log.path)
      return log
    } catch (error) {
      await log.close()
      throw storageError(error, 'The session cannot be continued in place', log.path)
    }
  }

  private logOptions(path: string, readOnly: 'asked' | 'foreign' | undefined, acceptDamage?: boolean): FileLogOptions {
    const { storage, locks, durability, buffer, paths } = this.parts
    const columns = createColumnsFile(storage, paths.columnsFile(columnsKey(paths, path)))
    return { storage, locks, path, columns, durability, buffer, readOnly, acceptDamage }
  }

  private refuseClosed(): void {
    if (this.isClosed) throw new TreelineError('bad_request', 'The store is closed. Open it again.')
  }

  /** One of our own making is new; one that was chosen may be that of a renamed log. */
  private newHeader(options: CreateOptions): SessionHeader {
    const header = makeHeader(options)
    if (options.id !== undefined) this.refuseTaken(header.id, findLogs(this.parts, header.id))
    return header
  }

  private refuseTaken(id: string, paths: readonly string[]): void {
    if (paths.length === 0) return
    throw new TreelineError('id_in_use', `There is a session ${id} already. Open it, or choose another id.`)
  }
}

/**
 * Every line of a whole fork is copied, those that name it too, and to take back the first of them is to call it what the
 * header says. A name of its own is said in a line; one that is blank is said nowhere else.
 */
function headerTitle({ header }: Session, how: ForkOptions['how'], title: string | undefined): string | undefined {
  const isBlank = title !== undefined && title.trim() === ''
  return how === 'whole' && !isBlank ? header.title : title
}

/** A text or a picture that somebody took for a session is not made one, as an empty one would be. */
function refuseNoLog(log: FileLog): void {
  if (log.header.id !== '' || log.tree.rowCount > 0) return
  const { skipped, tornAt } = log.report()
  const damage = skipped.find(({ severity }) => severity === 'damage')
  const { line, offset } = damage ?? { line: 1, offset: tornAt }
  if (offset === undefined) return
  const message = `Nothing in ${log.path} can be read as a session, from line ${line}, byte ${offset} on. It stays as it is.`
  throw new TreelineError('damaged', message, { line, offset })
}

async function unlessMissing(open: () => Promise<Session>): Promise<Session | undefined> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof TreelineError && error.code === 'session_not_found') return undefined
    throw error
  }
}

/** A chat that was opened and killed before anything was said: there is more to go on with elsewhere. */
function isLeftEmpty({ messageCount, name }: SessionSummary): boolean {
  return messageCount === 0 && name === undefined
}

/**
 * Whoever opens sees everything that was acknowledged before, also of a log that was opened here long ago. On a disk where
 * nothing can be made durable it can be read all the same.
 */
async function bringUpToDate(log: FileLog): Promise<void> {
  if (log.isPausing) {
    log.tryCatchUp()
    return
  }
  try {
    await log.look()
  } catch (error) {
    // One that is gone is still what those who have it open see; what they do with it says so.
    if (!(error instanceof TreelineError) || error.code !== 'session_not_found') throw error
  }
}
