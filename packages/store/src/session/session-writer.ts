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

/**
 * Gets entries and edits into a log, in the order they were asked for, and moves the leaf along. What each of them promises
 * is said where a session hands them out.
 */
export class SessionWriter {
  private readonly parts: SessionWriterParts
  /** While entries wait for their large parts to be stored, those asked for later wait for them. Never rejects. */
  private preparing: Promise<void> | undefined
  /** Names on their way into a title slot, which are not in the log's queue. */
  private readonly naming = new Set<Promise<unknown>>()
  private tool: Dialect | undefined
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
    return this.inTurn(isPlain ? undefined : this.prepare(drafts), (prepared = drafts) => this.write(prepared, options))
  }

  edit(plan: (tree: Tree, leaf: number) => EditPlan): Promise<EditPlan> {
    const isForOmp = this.writesFor === 'omp'
    const done = this.inTurn(undefined, () => this.commitEdit(plan, isForOmp))
    return isForOmp ? this.withSlot(done) : done
  }

  async flush(): Promise<void> {
    while (this.preparing !== undefined) await this.preparing
    await this.parts.log.flush()
    await Promise.allSettled(this.naming)
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

  private async write(drafts: readonly EntryDraft[], options: AppendOptions): Promise<readonly Entry[]> {
    const { log, leaf } = this.parts
    const lost = new Set<string>()
    for (;;) {
      let view: LogView | undefined
      const appended = await this.commit(({ tree }) => {
        const planned = planEntries(tree, drafts, leaf.refIn(tree), options, lost)
        if (planned.result.existing.length > 0) view = log.view()
        return { ...planned, leafId: planned.result.leafId }
      })
      if (view === undefined || (await checkRetries(drafts, appended, view, lost))) return appended.entries
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
    this.naming.add(named)
    const over = () => this.naming.delete(named)
    named.then(over, over)
    return named
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
      return { entries, message, result, accepted, acknowledged }
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
    const prepared = this.keepsBlobs
      ? await Promise.all(drafts.map((draft) => externalise(draft as Entry, blobs.put)))
      : drafts
    const taken = prepared.filter(({ id }) => this.isTaken(id))
    const stored = await reader.readEntries(taken.map(({ id }) => id!))
    for (const [i, draft] of taken.entries()) if (stored[i] !== undefined) checkRetry(draft, stored[i])
    return prepared
  }

  private isTaken(id: string | undefined): boolean {
    return id !== undefined && isKnown(soundTree(this.parts.log), id)
  }
}

/** False when of an earlier attempt only a torn line is left: it is among the `lost` now, to be written again (D3). */
async function checkRetries(
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
