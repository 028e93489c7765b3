import {
  attachedLeaf,
  buildContext,
  buildLine,
  type Context,
  type Dialect,
  type EditPlan,
  type EditRequest,
  type Entry,
  type EntryDraft,
  Flag,
  type Line,
  type LineOptions,
  type LinePath,
  lineEnd,
  planEdit,
  planRedo,
  planUndo,
  ROOT,
  runStepsAsync,
  type SessionHeader,
  storedPath,
  type Tree,
  type UndoRequest,
} from '@treeline/core'
import type { BlobRef } from '../blobs/blob-ref.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { externalise, needsExternalising } from '../blobs/externalise.ts'
import { type Restored, resolveBlobs } from '../blobs/restore.ts'
import { closedError } from '../log/log-errors.ts'
import { keepText, preparedText, withPreparedMessage } from '../log/prepared-messages.ts'
import type { Access, LogReport, LogView, Planned, Planning, SessionLog } from '../log/session-log.ts'
import type { Presence } from '../presence/presence.ts'
import { type Appended, type AppendOptions, checkRetry, planEntries, withoutParent } from './append.ts'
import { readConfig, type SessionConfig } from './config.ts'
import { type Followed, type FollowOptions, followLog, lastSeq } from './follow.ts'
import { asTitleChange } from './in-place.ts'
import type { Partials } from './partials.ts'
import { plainText, planPlain } from './plain-append.ts'
import { isKnown, SessionLeaf } from './session-leaf.ts'

export interface SessionParts {
  readonly log: SessionLog
  readonly blobs: BlobStore
  /** It is continued where another tool keeps it. */
  readonly isInPlace?: boolean | undefined
  readonly partials?: Partials | undefined
  /** Who lives, for those who find what somebody began. */
  readonly presence?: Presence | undefined
  /** Where it goes on; by default at the end of the log, which is looked at then. */
  readonly leafId?: string | null | undefined
  /** Called once, when the session is closed. */
  readonly release: () => Promise<void>
}

export interface SessionLineOptions extends LineOptions {
  /** The node to read from; by default the session's leaf. */
  readonly leafId?: string | null | undefined
  /** Texts that were too long for the log whole, with the images beside them; by default as the log has them. */
  readonly full?: boolean | undefined
  /** A node in the stash is read as it hangs there; by default the line is that of the place it was cut from. */
  readonly inStash?: boolean | undefined
}

export interface ContextOptions {
  /** The node to read from; by default the session's leaf. */
  readonly leafId?: string | null | undefined
  /** As for a line. */
  readonly full?: boolean | undefined
  /** Whose reading it is to be. */
  readonly dialect?: Dialect | undefined
}

/** How many bodies are read at a time when all are wanted. */
const ENTRIES_PER_READ = 256
const NO_ENTRIES: readonly Entry[] = []
const NONE_LOST: ReadonlySet<string> = new Set()

/**
 * One conversation, open. Several may be open on one log, in one process or many: each keeps its own leaf, so a second
 * writer's turn becomes a sibling branch that everybody sees.
 *
 * @example
 * await using session = await store.open(id)
 * await session.append({ type: 'message', message: { role: 'user', content: 'Hello', timestamp: Date.now() } })
 * const line = await session.line()
 */
export class Session implements AsyncDisposable {
  private readonly parts: SessionParts
  private readonly leaf: SessionLeaf
  /** While entries wait for their large parts to be stored, those asked for later wait for them. Never rejects. */
  private preparing: Promise<void> | undefined
  /** Names on their way into a title slot, which are not in the log's queue. */
  private readonly naming = new Set<Promise<unknown>>()
  private tool: Dialect | undefined
  private closing: Promise<void> | undefined
  private readonly ended = new AbortController()

  constructor(parts: SessionParts) {
    this.parts = parts
    this.leaf = parts.leafId === undefined ? SessionLeaf.endOf(this.tree) : new SessionLeaf(parts.leafId)
  }

  get id(): string {
    return this.header.id
  }

  get path(): string {
    return this.parts.log.path
  }

  get header(): SessionHeader {
    return this.parts.log.header
  }

  /** Whether the session can be continued, and if not, why. */
  get access(): Access {
    return this.parts.log.access
  }

  /** Whose log it is, by what is in it: that of the tool that began it, whatever was appended here since. */
  get dialect(): Dialect {
    return this.parts.log.dialect
  }

  /**
   * Whether it is continued where another tool keeps it, in that tool's dialect: `explainInPlace(session.dialect)` says
   * what that means.
   */
  get isInPlace(): boolean {
    return this.parts.isInPlace === true
  }

  /** All branches, as of the latest commit or refresh. Belongs to the session: look, do not change. */
  get tree(): Tree {
    return this.parts.log.tree
  }

  /** Where this session goes on; `null` before the first entry and after `resetLeaf`. */
  get leafId(): string | null {
    return this.leaf.idIn(this.tree)
  }

  /** The line number of the log's last entry; every line is one event. */
  get seq(): number {
    return lastSeq(this.tree)
  }

  /** Changes when the log is rewritten: sequence numbers from before are void then. Keep it beside them for `follow`. */
  get epoch(): string {
    return this.parts.log.epoch
  }

  get name(): string | undefined {
    const { name } = this.tree.edits
    return name === undefined ? this.header.title : (name ?? undefined)
  }

  get config(): SessionConfig {
    return readConfig(this.tree)
  }

  /** Text of answers still being generated; `undefined` where there is no place for it. */
  get partials(): Partials | undefined {
    return this.parts.partials
  }

  /** Stands for this process among those that write, for as long as it lives; `undefined` when it could not be told. */
  get writer(): string | undefined {
    return this.parts.presence?.token
  }

  /** Whether the process that began something lives, by its `writer`. */
  isWriterAlive(writer: string): boolean {
    return this.parts.presence?.isAlive(writer) ?? false
  }

  /** Damage and oddities, located (I2). */
  report(): LogReport {
    return this.parts.log.report()
  }

  /**
   * Appends under the leaf, or under `parentId`, and syncs. When this resolves the entry survives power loss (D1), unless
   * the store was opened with a weaker durability (D2). Safe to retry with the same id (D3).
   */
  append(draft: EntryDraft, options?: AppendOptions): Promise<Entry> {
    try {
      const isNext = options === undefined && this.preparing === undefined && this.closing === undefined
      const text = isNext ? plainText(draft) : undefined
      return text === undefined ? this.appendOne(draft, options) : this.appendPlain(draft, text)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  private async appendOne(draft: EntryDraft, options: AppendOptions | undefined): Promise<Entry> {
    const [entry] = await this.appendAll([draft], options)
    return entry!
  }

  private appendPlain(draft: EntryDraft, text: string): Promise<Entry> {
    // A copy that nobody else holds: what is returned is what was handed over.
    const message = { ...(draft.message as object) }
    return this.commit((planning) => {
      const entry = planPlain(planning, this.leaf, message)
      if (entry !== undefined) return { entries: NO_ENTRIES, message: { entry, text }, result: entry, leafId: entry.id }
      keepText(message, text)
      const { tree } = planning
      const { entries, result } = planEntries(tree, [{ ...draft, message }], this.leaf.refIn(tree), {}, NONE_LOST)
      return { entries, result: result.entries[0]!, leafId: result.leafId }
    })
  }

  /** Appends a chain of entries in one write. After a crash the first of them are there, in order (D4). */
  appendAll(given: readonly EntryDraft[], options: AppendOptions = {}): Promise<readonly Entry[]> {
    const drafts = given.map((draft) => withPreparedMessage(withoutParent(draft)))
    const { keepsBlobs } = this
    const isLarge = (draft: EntryDraft) => keepsBlobs && needsExternalising(draft as Entry, preparedText(draft))
    const isPlain = !drafts.some((draft) => isLarge(draft) || this.isTaken(draft.id))
    return this.inTurn(isPlain ? undefined : this.prepare(drafts), (prepared = drafts) => this.write(prepared, options))
  }

  /** One edit request, however many operations: one line, all or nothing (D4). `baseVersion` makes a lost race an error (C2). */
  edit(request: EditRequest): Promise<EditPlan> {
    return this.planned((tree, leaf) => planEdit(tree, leaf, request))
  }

  /** Takes back an edit, by default the caller's latest. Refused when what it changed was changed again since. */
  undo(request: UndoRequest = {}): Promise<EditPlan> {
    return this.planned((tree, leaf) => planUndo(tree, leaf, request))
  }

  redo(request: Omit<UndoRequest, 'editId'> = {}): Promise<EditPlan> {
    return this.planned((tree, leaf) => planRedo(tree, leaf, request))
  }

  /** Moves the leaf, durably (S20, X23). */
  async branch(id: string): Promise<void> {
    await this.moveLeaf(id)
  }

  /**
   * From now on the leaf goes where other writers go on, for those who watch. Once this session has moved it itself, only
   * with those who go on from there: a turn beside its own stays a branch of its own (C1).
   */
  followLeaf(): void {
    this.leaf.follow(this.tree)
  }

  /** The next entry starts a new root. */
  async resetLeaf(): Promise<void> {
    await this.moveLeaf(null)
  }

  /** Moves the leaf and leaves a summary of what was tried where it was (S11, S20). */
  branchWithSummary(
    id: string | null,
    summary: string,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<Entry> {
    const draft = {
      type: 'branch_summary',
      fromId: id ?? 'root',
      summary,
      details: { ...details, leftLeafId: this.leafId },
    }
    return this.append(draft, { parentId: id })
  }

  async setLabel(nodeId: string, label: string | null): Promise<void> {
    await this.edit({ operations: [{ op: 'label', nodeId, label }] })
  }

  /** Appended, never rewritten in place. `null` clears the name, also one the header gives. */
  async rename(name: string | null): Promise<void> {
    await this.edit({ operations: [{ op: 'name', name }] })
  }

  /** Merges into the session's settings; `null` removes a key. The last change wins (X4). */
  async setConfig(patch: Readonly<Record<string, unknown>>): Promise<void> {
    await this.edit({ operations: [{ op: 'config', patch }] })
  }

  /**
   * The same by what the settings are when it is written, so that nobody's change in between is lost. `auto` is nothing
   * that a person would undo.
   */
  async updateConfig(
    change: (config: SessionConfig, tree: Tree) => Readonly<Record<string, unknown>>,
    { auto = false }: { readonly auto?: boolean } = {},
  ): Promise<void> {
    await this.planned((tree, leaf) => {
      const patch = change(readConfig(tree), tree)
      return planEdit(tree, leaf, { operations: [{ op: 'config', patch }], auto })
    })
  }

  /** `undefined` for an unknown id, a node still being generated, and bytes that are damaged (see `report`). */
  async readEntry(id: string): Promise<Entry | undefined> {
    const [entry] = await this.readEntries([id])
    return entry
  }

  async readEntries(ids: readonly string[]): Promise<(Entry | undefined)[]> {
    this.refuseClosed()
    return this.readStored(ids)
  }

  private async readStored(ids: readonly string[]): Promise<(Entry | undefined)[]> {
    const view = this.parts.log.view()
    const { tree } = view
    const refs = ids.map((id) => tree.ids.find(id))
    const isKnown = (ref: number): boolean => ref > ROOT && tree.columns.has(ref, Flag.known)
    const read = await readRefs(
      view,
      refs.map((ref) => (isKnown(ref) ? ref : ROOT)),
    )
    // A copy has its original's body.
    return read.map((entry, i) => (entry === undefined || entry.id === ids[i] ? entry : { ...entry, id: ids[i]! }))
  }

  /** The entry with its images and long texts back in place (S32), and what could not be put back. */
  async readFull(id: string): Promise<Restored<Entry> | undefined> {
    const entry = await this.readEntry(id)
    return entry && resolveBlobs(entry, this.parts.blobs.read)
  }

  /** Keeps bytes by their hash, for an entry that will name them; durable when it resolves. */
  async putBlob(bytes: Uint8Array): Promise<BlobRef> {
    this.refuseClosed()
    return this.parts.blobs.put(bytes)
  }

  /** The bytes behind a reference in this session, verified; `undefined` when there are none. */
  async readBlob(ref: BlobRef): Promise<Uint8Array | undefined> {
    this.refuseClosed()
    return this.parts.blobs.read(ref)
  }

  /** Every entry in the order of the log (S21), read a few at a time. */
  async *entries(): AsyncGenerator<Entry> {
    this.refuseClosed()
    const { tree, readEntries } = this.parts.log.view()
    for (let row = 0; row < tree.rowCount; row += ENTRIES_PER_READ) {
      const count = Math.min(ENTRIES_PER_READ, tree.rowCount - row)
      const read = await readEntries(Array.from({ length: count }, (_, i) => row + i))
      for (const entry of read) if (entry !== undefined) yield entry
    }
  }

  /** What the model will see from the leaf, or from another node, and why. Reads only what will be sent. */
  async line({ leafId = this.leafId, full, inStash, ...options }: SessionLineOptions = {}): Promise<Line> {
    this.refuseClosed()
    const view = this.parts.log.view()
    const found = this.leaf.refOf(view.tree, leafId)
    const isStashed = inStash === true && isInStash(view.tree, found)
    const leaf = isStashed ? found : attachedLeaf(view.tree, found)
    const path = lineEnd(view.tree, leaf)
    return runStepsAsync(buildLine(view.tree, leaf, options, path), this.bodiesOf(view, path, full))
  }

  /** The messages of a path as stored, as one of the field's tools would read them. */
  async context({ leafId = this.leafId, dialect = 'treeline', full }: ContextOptions = {}): Promise<Context> {
    this.refuseClosed()
    const view = this.parts.log.view()
    const path = storedPath(view.tree, this.leaf.refOf(view.tree, leafId))
    return runStepsAsync(buildContext(path, dialect), this.bodiesOf(view, path, full))
  }

  /**
   * Every entry from this call on, or after a sequence number, once it is durable (W5), whoever wrote it. Ends when the
   * session is closed, and with `session_not_found` when the log is deleted. Waiting for entries keeps no process alive.
   *
   * @example
   * for await (const event of session.follow({ afterSeq, epoch })) send(event)
   */
  follow(options: FollowOptions = {}): AsyncGenerator<Followed> {
    this.refuseClosed()
    const { signal: ended } = this.ended
    const signal = options.signal === undefined ? ended : AbortSignal.any([options.signal, ended])
    return followLog(this.parts.log, { ...options, signal })
  }

  /** Takes in what other writers appended. Commits do so by themselves. */
  async refresh(): Promise<void> {
    this.refuseClosed()
    await this.parts.log.refresh()
  }

  async flush(): Promise<void> {
    while (this.preparing !== undefined) await this.preparing
    await this.parts.log.flush()
    await Promise.allSettled(this.naming)
  }

  /** Writes what is waiting, then lets go of the log. */
  close(): Promise<void> {
    if (this.closing === undefined) {
      this.closing = this.flush().finally(this.parts.release)
      this.ended.abort()
    }
    return this.closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  private async write(drafts: readonly EntryDraft[], options: AppendOptions): Promise<readonly Entry[]> {
    const lost = new Set<string>()
    for (;;) {
      let view: LogView | undefined
      const appended = await this.commit(({ tree }) => {
        const planned = planEntries(tree, drafts, this.leaf.refIn(tree), options, lost)
        if (planned.result.existing.length > 0) view = this.parts.log.view()
        return { ...planned, leafId: planned.result.leafId }
      })
      const isDone = view === undefined || (await this.checkRetries(drafts, appended, view, lost))
      if (isDone) return appended.entries
    }
  }

  /** False when of an earlier attempt only a torn line is left: it is among the `lost` now, to be written again (D3). */
  private async checkRetries(
    drafts: readonly EntryDraft[],
    appended: Appended,
    view: LogView,
    lost: Set<string>,
  ): Promise<boolean> {
    let isWhole = true
    for (const { index, row } of appended.existing) {
      const [stored] = await view.readEntries([row])
      if (stored !== undefined) appended.entries[index] = checkRetry(drafts[index]!, stored)
      else {
        lost.add(drafts[index]!.id!)
        isWhole = false
      }
    }
    return isWhole
  }

  private planned(plan: (tree: Tree, leaf: number) => EditPlan): Promise<EditPlan> {
    const isForOmp = this.writesFor === 'omp'
    const done = this.inTurn(undefined, () => this.commitEdit(plan, isForOmp))
    return isForOmp ? this.withSlot(done) : done
  }

  private commitEdit(plan: (tree: Tree, leaf: number) => EditPlan, isForOmp: boolean): Promise<EditPlan> {
    return this.commit(({ tree }) => {
      const planned = plan(tree, this.leaf.refIn(tree))
      const result = isForOmp ? asTitleChange(planned, tree, this.header) : planned
      const entries = result.entry === undefined ? [] : [result.entry]
      return { entries, result, leafId: result.leafMoved ? result.leafId : undefined }
    })
  }

  /** oh-my-pi shows a name from its title slot, which says the new one once the line with it is durable. */
  private withSlot(done: Promise<EditPlan>): Promise<EditPlan> {
    const named = done.then(async (result) => {
      if (result.operations.some(({ op }) => op === 'name')) await this.parts.log.rewriteSlot()
      return result
    })
    this.naming.add(named)
    const over = () => this.naming.delete(named)
    named.then(over, over)
    return named
  }

  /** The tool that will read what is appended: ours, or the one that keeps the log. It stays what it is. */
  private get writesFor(): Dialect {
    if (!this.isInPlace) return 'treeline'
    // Of one that is closed nothing is looked at any more; what is asked of it is refused.
    if (this.closing === undefined) this.tool ??= this.dialect
    return this.tool ?? 'treeline'
  }

  /** Another tool would not find our blobs; what is in its log is in the line, however long. */
  private get keepsBlobs(): boolean {
    return this.writesFor === 'treeline'
  }

  private async moveLeaf(id: string | null): Promise<void> {
    await this.edit({ operations: [{ op: 'leaf', leafId: id }] })
  }

  private commit<T>(plan: (planning: Planning) => Planned<T> & { leafId: string | null | undefined }): Promise<T> {
    return this.parts.log.commit((planning) => {
      const { entries, message, result, leafId } = plan(planning)
      let leaf = this.leaf.id
      const accepted = (): void => {
        leaf = leafId === undefined ? this.leaf.stayIn(this.tree) : this.leaf.moveTo(leafId)
      }
      const acknowledged = (): void => {
        this.leaf.keep(leaf)
      }
      return { entries, message, result, accepted, acknowledged }
    })
  }

  /** Starts at once, or after what was asked for earlier has started: whatever has to be prepared, calls keep their order. */
  private inTurn<P, T>(prepared: Promise<P> | undefined, start: (prepared?: P) => Promise<T>): Promise<T> {
    if (this.closing !== undefined) {
      prepared?.catch(() => {})
      return Promise.reject(closedError(this.path))
    }
    const before = this.preparing
    if (before === undefined && prepared === undefined) return start()
    const ready = Promise.allSettled([before, prepared]).then(() => prepared)
    const result = ready.then(start)
    const started = ready.then(nothing, nothing)
    this.preparing = started
    started.then(() => {
      if (this.preparing === started) this.preparing = undefined
    })
    return result
  }

  /**
   * Large parts go to blobs before the line that names them is written, so that no line points nowhere. An id that is
   * taken by something else is refused before anything is written.
   */
  private async prepare(drafts: readonly EntryDraft[]): Promise<readonly EntryDraft[]> {
    const { put } = this.parts.blobs
    const prepared = this.keepsBlobs
      ? await Promise.all(drafts.map((draft) => externalise(draft as Entry, put)))
      : drafts
    const taken = prepared.filter(({ id }) => this.isTaken(id))
    const stored = await this.readStored(taken.map(({ id }) => id!))
    for (const [i, draft] of taken.entries()) if (stored[i] !== undefined) checkRetry(draft, stored[i])
    return prepared
  }

  private isTaken(id: string | undefined): boolean {
    return id !== undefined && isKnown(this.soundTree(), id)
  }

  /** A damaged cache does not keep anyone from appending (I6): the log is read anew then. */
  private soundTree(): Tree {
    try {
      this.tree.ids.load()
      return this.tree
    } catch {
      return this.parts.log.view().tree
    }
  }

  private bodiesOf(view: LogView, path: Pick<LinePath, 'refs'>, full = false) {
    return async (positions: readonly number[]): Promise<(Entry | undefined)[]> => {
      const refs = positions.map((position) => path.refs[position]!)
      const bodies = await readRefs(view, refs)
      if (!full) return bodies
      return Promise.all(bodies.map((body) => (body?.treelineFull === undefined ? body : this.restore(body))))
    }
  }

  private async restore(entry: Entry): Promise<Entry> {
    return (await resolveBlobs(entry, this.parts.blobs.read)).entry
  }

  private refuseClosed(): void {
    if (this.closing !== undefined) throw closedError(this.path)
  }
}

/** Nothing for what has no body, which the root has not. */
async function readRefs({ tree, readEntries }: LogView, refs: readonly number[]): Promise<(Entry | undefined)[]> {
  const rows = refs.map((ref) => (ref === ROOT ? -1 : tree.bodyRow(ref)))
  const isThere = (row: number): boolean => row >= 0
  if (rows.every(isThere)) return readEntries(rows)
  const found = await readEntries(rows.filter(isThere))
  let next = 0
  return rows.map((row) => (row < 0 ? undefined : found[next++]))
}

function nothing(): void {}

function isInStash({ columns }: Tree, ref: number): boolean {
  const top = columns.topOf(columns.ownerOf(ref))
  return !columns.isAttached(top) && !columns.has(top, Flag.deleted)
}
