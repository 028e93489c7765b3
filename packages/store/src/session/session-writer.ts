import type { Dialect, EditPlan, Entry, EntryDraft, Tree } from '@treeline/core'
import type { BlobStore } from '../blobs/blob-store.ts'
import { externalise, needsExternalising } from '../blobs/externalise.ts'
import { closedError } from '../log/log-errors.ts'
import { keepText, preparedText, withPreparedMessage } from '../log/prepared-messages.ts'
import type { LogView, Planned, Planning, SessionLog } from '../log/session-log.ts'
import { type Appended, type AppendOptions, checkRetry, planEntries, withoutParent } from './append.ts'
import { asTitleChange } from './in-place.ts'
import { plainText, planPlain } from './plain-append.ts'
import { isKnown, type SessionLeaf } from './session-leaf.ts'
import type { SessionReader } from './session-reader.ts'

export interface SessionWriterParts {
  readonly log: SessionLog
  readonly blobs: BlobStore
  readonly isInPlace: boolean
  readonly leaf: SessionLeaf
  readonly reader: SessionReader
}

const NO_ENTRIES: readonly Entry[] = []
const NONE_LOST: ReadonlySet<string> = new Set()
const LARGE_AT_ONCE = 16

/**
 * Gets entries and edits into a log, in the order they were asked for, and moves the leaf along. What each of them promises
 * is said where a session hands them out.
 */
export class SessionWriter {
  private readonly parts: SessionWriterParts
  /** While entries wait for their large parts to be stored, those asked for later wait for them. Never rejects. */
  private preparing: Promise<void> | undefined
  /** What is not over with what it has in the log's queue: names on their way into a title slot, entries that are compared. */
  private readonly unfinished = new Set<Promise<unknown>>()
  private tool: Dialect | undefined
  /** How many wait for what is unfinished: it is held back by nothing then. */
  private flushing = 0
  private isClosed = false

  constructor(parts: SessionWriterParts) {
    this.parts = parts
  }

  append(draft: EntryDraft, options: AppendOptions | undefined): Promise<Entry> {
    const isNext = options === undefined && this.preparing === undefined && !this.isClosed
    const text = isNext ? plainText(draft) : undefined
    return text === undefined ? this.appendOne(draft, options) : this.appendPlain(draft, text)
  }

  appendAll(given: readonly EntryDraft[], options: AppendOptions): Promise<readonly Entry[]> {
    const drafts = given.map((draft) => withPreparedMessage(withoutParent(draft)))
    const { keepsBlobs } = this
    const isLarge = (draft: EntryDraft) => keepsBlobs && needsExternalising(draft as Entry, preparedText(draft))
    const isPlain = !drafts.some((draft) => isLarge(draft) || this.isTaken(draft.id))
    const large = isPlain ? undefined : this.prepare(drafts)
    return this.inTurn(large, (prepared = drafts) => this.track(this.write(prepared, options)))
  }

  edit(plan: (tree: Tree, leaf: number) => EditPlan): Promise<EditPlan> {
    const isForOmp = this.writesFor === 'omp'
    const done = this.inTurn(undefined, () => this.commitEdit(plan, isForOmp))
    return isForOmp ? this.withSlot(done) : done
  }

  /** Of what was asked for before: it does not wait for what comes meanwhile. */
  async flush(): Promise<void> {
    this.flushing++
    await this.preparing
    await this.parts.log.flush()
    await Promise.allSettled(this.unfinished)
    this.flushing--
  }

  /** Writes what is waiting, and takes nothing more. */
  close(): Promise<void> {
    const flushed = this.flush()
    this.isClosed = true
    return flushed
  }

  private async appendOne(draft: EntryDraft, options: AppendOptions = {}): Promise<Entry> {
    const [entry] = await this.appendAll([draft], options)
    return entry!
  }

  private appendPlain(draft: EntryDraft, text: string): Promise<Entry> {
    const { leaf } = this.parts
    // A copy that nobody else holds: what is returned is what was handed over.
    const message = { ...(draft.message as object) }
    return this.commit((planning) => {
      const entry = planPlain(planning, leaf, message)
      if (entry !== undefined) return { entries: NO_ENTRIES, message: { entry, text }, result: entry, leafId: entry.id }
      keepText(message, text)
      const { tree } = planning
      const { entries, result } = planEntries(tree, [{ ...draft, message }], leaf.refIn(tree), {}, NONE_LOST)
      return { entries, result: result.entries[0]!, leafId: result.leafId }
    })
  }

  /** As long as it finds ids that are there already, it compares what they say with the drafts before anything is written. */
  private async write(drafts: readonly EntryDraft[], options: AppendOptions): Promise<readonly Entry[]> {
    const { log, leaf } = this.parts
    const seen: SeenRetries = { stored: new Map(), lost: new Set() }
    for (;;) {
      let unseen: Unseen | undefined
      const committed = this.commit(({ tree }) => {
        const planned = planEntries(tree, drafts, leaf.refIn(tree), options, seen.lost)
        const rows = planned.result.existing.filter(({ index }) => !seen.stored.has(drafts[index]!.id!))
        if (rows.length === 0) return { ...planned, leafId: planned.result.leafId }
        unseen = { rows, view: log.view() }
        return { entries: NO_ENTRIES, result: planned.result, leafId: undefined }
      })
      if (this.flushing > 0) void log.flush()
      const { entries } = await committed
      if (unseen === undefined) return entries.map((entry) => seen.stored.get(entry.id) ?? entry)
      await lookAtRetries(drafts, unseen, seen)
    }
  }

  private commitEdit(plan: (tree: Tree, leaf: number) => EditPlan, isForOmp: boolean): Promise<EditPlan> {
    const { log, leaf } = this.parts
    return this.commit(({ tree }) => {
      const planned = plan(tree, leaf.refIn(tree))
      const result = isForOmp ? asTitleChange(planned, tree, log.header) : planned
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
    return this.track(named)
  }

  private track<T>(work: Promise<T>): Promise<T> {
    this.unfinished.add(work)
    const over = () => this.unfinished.delete(work)
    work.then(over, over)
    return work
  }

  /** The tool that will read what is appended: ours, or the one that keeps the log. It stays what it is. */
  private get writesFor(): Dialect {
    if (!this.parts.isInPlace) return 'treeline'
    // Of one that is closed nothing is looked at any more; what is asked of it is refused.
    if (!this.isClosed) this.tool ??= this.parts.log.dialect
    return this.tool ?? 'treeline'
  }

  /** Another tool would not find our blobs; what is in its log is in the line, however long. */
  private get keepsBlobs(): boolean {
    return this.writesFor === 'treeline'
  }

  private commit<T>(plan: (planning: Planning) => Planned<T> & { leafId: string | null | undefined }): Promise<T> {
    const { log, leaf } = this.parts
    return log.commit((planning) => {
      const { entries, message, result, leafId } = plan(planning)
      let next = leaf.id
      const accepted = (): void => {
        next = leafId === undefined ? leaf.stayIn(log.tree) : leaf.moveTo(leafId)
      }
      const acknowledged = (): void => {
        leaf.keep(next)
      }
      const last = message === undefined ? entries.at(-1) : message.entry
      const lost = (): void => {
        // After a failed sync the line is there, and whoever reads the log goes on from there.
        if (leafId !== undefined && last !== undefined && !isKnown(soundTree(log), last.id)) leaf.moveBack(leafId)
      }
      return { entries, message, result, accepted, acknowledged, lost }
    })
  }

  /** Starts at once, or after what was asked for earlier has started: whatever has to be prepared, calls keep their order. */
  private inTurn<P, T>(prepared: Promise<P> | undefined, start: (prepared?: P) => Promise<T>): Promise<T> {
    if (this.isClosed) {
      prepared?.catch(() => {})
      return Promise.reject(closedError(this.parts.log.path))
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
    const { blobs, reader } = this.parts
    const prepared = this.keepsBlobs ? await externaliseAll(drafts, blobs) : drafts
    const taken = prepared.filter(({ id }) => this.isTaken(id))
    const stored = await reader.readEntries(taken.map(({ id }) => id!))
    for (const [i, draft] of taken.entries()) if (stored[i] !== undefined) checkRetry(draft, stored[i])
    return prepared
  }

  private isTaken(id: string | undefined): boolean {
    return id !== undefined && isKnown(soundTree(this.parts.log), id)
  }
}

/** A few at a time: each has files open. */
async function externaliseAll(drafts: readonly EntryDraft[], { put }: BlobStore): Promise<EntryDraft[]> {
  const stored: EntryDraft[] = []
  for (let start = 0; start < drafts.length; start += LARGE_AT_ONCE) {
    const some = drafts.slice(start, start + LARGE_AT_ONCE)
    stored.push(...(await Promise.all(some.map((draft) => externalise(draft as Entry, put)))))
  }
  return stored
}

/** Of ids that were there already. */
interface SeenRetries {
  readonly stored: Map<string, Entry>
  /** Of an earlier attempt only a torn line is left: they are written again (D3). */
  readonly lost: Set<string>
}

interface Unseen {
  readonly rows: Appended['existing']
  readonly view: LogView
}

/** Throws `id_in_use` when one says something else than its draft. */
async function lookAtRetries(drafts: readonly EntryDraft[], { rows, view }: Unseen, seen: SeenRetries): Promise<void> {
  for (const { index, row } of rows) {
    const draft = drafts[index]!
    const [stored] = await view.readEntries([row])
    if (stored === undefined) seen.lost.add(draft.id!)
    else seen.stored.set(draft.id!, checkRetry(draft, stored))
  }
}

/** A damaged cache does not keep anyone from appending (I6): the log is read anew then. */
function soundTree(log: SessionLog): Tree {
  try {
    log.tree.ids.load()
    return log.tree
  } catch {
    return log.view().tree
  }
}

function nothing(): void {}
