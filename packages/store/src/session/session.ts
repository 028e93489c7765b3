import {
  type Context,
  type Dialect,
  type EditPlan,
  type EditRequest,
  type Entry,
  type EntryDraft,
  type Line,
  planEdit,
  planRedo,
  planUndo,
  type SessionHeader,
  type Tree,
  type UndoRequest,
} from '@treeline/core'
import type { BlobRef } from '../blobs/blob-ref.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Restored } from '../blobs/restore.ts'
import { closedError } from '../log/log-errors.ts'
import type { Access, LogReport, SessionLog } from '../log/session-log.ts'
import type { Presence } from '../presence/presence.ts'
import type { AppendOptions } from './append.ts'
import { readConfig, type SessionConfig } from './config.ts'
import { type Followed, type FollowOptions, followLog, lastSeq } from './follow.ts'
import type { Partials } from './partials.ts'
import { SessionLeaf } from './session-leaf.ts'
import { type ContextOptions, type SessionLineOptions, SessionReader } from './session-reader.ts'
import { SessionWriter } from './session-writer.ts'

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
  private readonly reading: SessionReader
  private readonly writing: SessionWriter
  private closing: Promise<void> | undefined
  private readonly ended = new AbortController()

  constructor(parts: SessionParts) {
    this.parts = parts
    const { log, blobs, leafId, isInPlace = false } = parts
    const leaf = leafId === undefined ? SessionLeaf.endOf(log.tree) : new SessionLeaf(leafId)
    const reader = new SessionReader(log, blobs, leaf)
    this.leaf = leaf
    this.reading = reader
    this.writing = new SessionWriter({ log, blobs, isInPlace, leaf, reader })
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
      return this.writing.append(draft, options)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** Appends a chain of entries in one write. After a crash the first of them are there, in order (D4). */
  appendAll(drafts: readonly EntryDraft[], options: AppendOptions = {}): Promise<readonly Entry[]> {
    return this.writing.appendAll(drafts, options)
  }

  /** One edit request, however many operations: one line, all or nothing (D4). `baseVersion` makes a lost race an error (C2). */
  edit(request: EditRequest): Promise<EditPlan> {
    return this.writing.edit((tree, leaf) => planEdit(tree, leaf, request))
  }

  /** Takes back an edit, by default the caller's latest. Refused when what it changed was changed again since. */
  undo(request: UndoRequest = {}): Promise<EditPlan> {
    return this.writing.edit((tree, leaf) => planUndo(tree, leaf, request))
  }

  redo(request: Omit<UndoRequest, 'editId'> = {}): Promise<EditPlan> {
    return this.writing.edit((tree, leaf) => planRedo(tree, leaf, request))
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
    const draft = { type: 'branch_summary', fromId: id ?? 'root', summary, details: { ...details } }
    return this.append(draft, { parentId: id, namesLeftLeaf: true })
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
    await this.writing.edit((tree, leaf) => {
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
    return this.reading.readEntries(ids)
  }

  /** The entry with its images and long texts back in place (S32), and what could not be put back. */
  async readFull(id: string): Promise<Restored<Entry> | undefined> {
    this.refuseClosed()
    return this.reading.readFull(id)
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
    yield* this.reading.entries()
  }

  /** What the model will see from the leaf, or from another node, and why. Reads only what will be sent. */
  async line(options: SessionLineOptions = {}): Promise<Line> {
    this.refuseClosed()
    return this.reading.line(options)
  }

  /** The messages of a path as stored, as one of the field's tools would read them. */
  async context(options: ContextOptions = {}): Promise<Context> {
    this.refuseClosed()
    return this.reading.context(options)
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

  flush(): Promise<void> {
    return this.writing.flush()
  }

  /** Writes what is waiting, then lets go of the log. */
  close(): Promise<void> {
    if (this.closing === undefined) {
      this.closing = this.writing.close().finally(this.parts.release)
      this.ended.abort()
    }
    return this.closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  private async moveLeaf(id: string | null): Promise<void> {
    await this.edit({ operations: [{ op: 'leaf', leafId: id }] })
  }

  private refuseClosed(): void {
    if (this.closing !== undefined) throw closedError(this.path)
  }
}
