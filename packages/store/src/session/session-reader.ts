import {
  attachedLeaf,
  buildContext,
  buildLine,
  type Context,
  type Dialect,
  type Entry,
  Flag,
  type Line,
  type LineOptions,
  type LinePath,
  lineEnd,
  ROOT,
  runStepsAsync,
  storedPath,
  type Tree,
} from '@treeline/core'
import type { BlobStore } from '../blobs/blob-store.ts'
import { type Restored, resolveBlobs } from '../blobs/restore.ts'
import type { LogView, SessionLog } from '../log/session-log.ts'
import type { SessionLeaf } from './session-leaf.ts'

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

/** Gets entries, lines and contexts out of a log. What each of them promises is said where a session hands them out. */
export class SessionReader {
  private readonly log: SessionLog
  private readonly blobs: BlobStore
  private readonly leaf: SessionLeaf

  constructor(log: SessionLog, blobs: BlobStore, leaf: SessionLeaf) {
    this.log = log
    this.blobs = blobs
    this.leaf = leaf
  }

  async readEntries(ids: readonly string[]): Promise<(Entry | undefined)[]> {
    const view = this.log.view()
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

  async readFull(id: string): Promise<Restored<Entry> | undefined> {
    const [entry] = await this.readEntries([id])
    return entry && resolveBlobs(entry, this.blobs.read)
  }

  async *entries(): AsyncGenerator<Entry> {
    const { tree, readEntries } = this.log.view()
    for (let row = 0; row < tree.rowCount; row += ENTRIES_PER_READ) {
      const count = Math.min(ENTRIES_PER_READ, tree.rowCount - row)
      const read = await readEntries(Array.from({ length: count }, (_, i) => row + i))
      for (const entry of read) if (entry !== undefined) yield entry
    }
  }

  line({ leafId, full, inStash, ...options }: SessionLineOptions): Promise<Line> {
    const view = this.log.view()
    const found = this.findLeaf(view.tree, leafId)
    const isStashed = inStash === true && isInStash(view.tree, found)
    const leaf = isStashed ? found : attachedLeaf(view.tree, found)
    const path = lineEnd(view.tree, leaf)
    return runStepsAsync(buildLine(view.tree, leaf, options, path), this.bodiesOf(view, path, full))
  }

  context({ leafId, dialect = 'treeline', full }: ContextOptions): Promise<Context> {
    const view = this.log.view()
    const path = storedPath(view.tree, this.findLeaf(view.tree, leafId))
    return runStepsAsync(buildContext(path, dialect), this.bodiesOf(view, path, full))
  }

  private findLeaf(tree: Tree, leafId: string | null | undefined): number {
    return this.leaf.refOf(tree, leafId === undefined ? this.leaf.idIn(tree) : leafId)
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
    return (await resolveBlobs(entry, this.blobs.read)).entry
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

function isInStash({ columns }: Tree, ref: number): boolean {
  const top = columns.topOf(columns.ownerOf(ref))
  return !columns.isAttached(top) && !columns.has(top, Flag.deleted)
}
