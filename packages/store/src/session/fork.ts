import {
  type EditRequestOp,
  type Entry,
  encodeLine,
  Flag,
  Kind,
  LOG_VERSION,
  linePath,
  NOWHERE,
  parseRecord,
  placeOf,
  ROOT,
  type Tree,
  TreelineError,
} from '@treeline/core'
import type { SessionLog } from '../log/session-log.ts'
import { LineList } from './line-list.ts'
import { isSealed, relinked } from './relink.ts'

export interface ForkOptions {
  /**
   * `path`: from the root to the leaf, what a person sees of it. `subtree`: everything below a node. `whole`: every line
   * as it is.
   */
  readonly how?: 'path' | 'subtree' | 'whole' | undefined
  /** The end of the path, or the top of the subtree; the source's leaf by default. */
  readonly nodeId?: string | null | undefined
  /** The project the fork belongs to; the source's by default. */
  readonly cwd?: string | undefined
  readonly id?: string | undefined
  readonly title?: string | undefined
}

/** What a fork takes over: entries with the parents they will have, and the edits that still matter to them. */
export interface ForkPlan {
  readonly taken: readonly Taken[]
  readonly operations: readonly EditRequestOp[]
}
export interface Taken {
  readonly ref: number
  readonly row: number
  /** Of the entry in the fork. A copy gets a line of its own here. */
  readonly id: string
  /** `undefined`: the line stays as it is. */
  readonly parentId: string | null | undefined
}

const ROWS_PER_READ = 2048

export function planFork(tree: Tree, how: 'path' | 'subtree' | 'whole', ref: number): ForkPlan {
  if (how === 'whole') {
    const taken = Array.from({ length: tree.rowCount }, (_, row) => asIs(tree, row))
    return { taken, operations: [] }
  }
  const refs = how === 'path' ? [...linePath(tree, ref).refs] : subtreeRefs(tree, ref)
  const included = new Set(refs)
  const taken: Taken[] = []
  for (const [i, at] of refs.entries()) {
    const row = tree.bodyRow(at)
    if (row < 0) continue
    const parent = how === 'path' ? (refs[i - 1] ?? ROOT) : parentWithin(tree, at, included)
    // In a subtree it is always said: a line without a parent hangs under the one before it, which may be another here.
    const isUnchanged = how === 'path' && tree.columns.rawParent[at] === parent && !tree.columns.has(at, Flag.copy)
    taken.push({ ref: at, row, id: tree.ids.textOf(at), parentId: isUnchanged ? undefined : idOrNull(tree, parent) })
  }
  return { taken, operations: listOperations(tree, refs) }
}

/** The lines of a fork, ready to write, a few thousand entries at a time. Bodies are copied, not parsed, unless they are old. */
export async function* forkLines(log: SessionLog, plan: ForkPlan): AsyncGenerator<Uint8Array> {
  const { tree } = log
  for (let start = 0; start < plan.taken.length; start += ROWS_PER_READ) {
    const taken = plan.taken.slice(start, start + ROWS_PER_READ)
    const rows = taken.map(({ row }) => row)
    if (tree.options.version < LOG_VERSION || rows.some((row) => tree.heads.hasId[row] === 0)) {
      const entries = await log.readEntries(rows)
      yield Buffer.concat(taken.map((entry, i) => upgradedLine(tree, entries[i], entry)))
    } else {
      const records = await log.readRecords(rows)
      const lines = new LineList()
      for (const [i, entry] of taken.entries()) {
        if (isKept(tree, records[i]!, entry)) lines.addKept(records[i]!)
        else lines.add(lineOf(tree, records[i]!, entry))
      }
      yield Buffer.concat(lines.finish())
    }
  }
}

function upgradedLine(
  tree: Tree,
  entry: Entry | undefined,
  { row, id, parentId = entry?.parentId }: Taken,
): Uint8Array {
  if (entry !== undefined) return encodeLine({ ...entry, id, parentId: parentId ?? null })
  const [line, offset] = [tree.heads.line[row]!, tree.heads.offset[row]!]
  throw new TreelineError('damaged', `Line ${line} (byte ${offset}) is damaged and cannot be forked.`, { line, offset })
}

function isKept(tree: Tree, record: Uint8Array, { ref, parentId }: Taken): boolean {
  const isAsItWas = parentId === undefined && (ref < 0 || tree.columns.kind[ref] !== Kind.compaction)
  return isAsItWas && isSealed(record)
}

/** A compaction names what it keeps by the id that has in the fork: of a copy, or of what is left of the stretch. */
function lineOf(tree: Tree, record: Uint8Array, taken: Taken): Uint8Array {
  if (tree.columns.kind[taken.ref] !== Kind.compaction || taken.ref < 0) return relinked(record, taken)
  const { entry } = parseRecord(record)
  const path = linePath(tree, taken.ref)
  const { firstKeptEntryId: first } = entry
  const kept = typeof first === 'string' ? path.findKept(first, path.length - 1) : undefined
  if (kept === undefined || path.idAt(kept) === first) return relinked(record, taken)
  const { id, parentId = entry.parentId } = taken
  return encodeLine({ ...entry, id, parentId, firstKeptEntryId: path.idAt(kept) })
}

function asIs(tree: Tree, row: number): Taken {
  return { ref: -1, row, id: tree.ids.textOf(tree.refAtRow(row)), parentId: undefined }
}

/** Nodes below and including the top, and the path entries (model changes …) that hang among them, in log order. */
function subtreeRefs(tree: Tree, top: number): number[] {
  const { columns } = tree
  if (top === ROOT || columns.parent[columns.topOf(top)] === NOWHERE) {
    throw new TreelineError('node_detached', 'Only a node of the tree can be forked with what is below it.')
  }
  const nodes = new Set(columns.subtree(top))
  const refs = [...nodes]
  for (let row = 0; row < tree.rowCount; row++) {
    const ref = tree.refAtRow(row)
    const isPathEntry = !columns.has(ref, Flag.node) && placeOf(columns.kind[ref]! as Kind) === 'path'
    if (isPathEntry && tree.generationNode(ref) === undefined && nodes.has(columns.ownerOf(ref))) refs.push(ref)
  }
  return refs.sort((a, b) => tree.bodyRow(a) - tree.bodyRow(b))
}

/** What an entry hangs under in the fork: what it hung under, or where an edit put it. */
function parentWithin(tree: Tree, ref: number, included: ReadonlySet<number>): number {
  const { columns } = tree
  const owner = columns.has(ref, Flag.node) ? columns.parent[ref]! : columns.ownerOf(columns.rawParent[ref]!)
  let at = columns.rawParent[ref]!
  while (at !== ROOT && !included.has(at) && !columns.has(at, Flag.node)) at = columns.rawParent[at]!
  if (included.has(at) && columns.ownerOf(at) === owner) return at
  return included.has(owner) ? owner : ROOT
}

/** The edits whose effect is still seen on what is copied (mutes, labels, ratings …), to be said again in the fork. */
function listOperations(tree: Tree, refs: readonly number[]): EditRequestOp[] {
  const { columns, edits, ids } = tree
  const operations: EditRequestOp[] = []
  const muted = refs.filter((ref) => columns.has(ref, Flag.muted)).map((ref) => ids.textOf(ref))
  if (muted.length > 0) operations.push({ op: 'mute', nodeIds: muted })
  for (const ref of refs) {
    const nodeId = ids.textOf(ref)
    const meta = edits.meta.get(ref)
    if (meta !== undefined && meta.size > 0) operations.push({ op: 'meta', nodeId, patch: Object.fromEntries(meta) })
    const label = edits.labels.size === 0 ? undefined : edits.labels.get(nodeId)
    if (label !== undefined) operations.push({ op: 'label', nodeId, label: label.label })
  }
  if (edits.config.size > 0) operations.push({ op: 'config', patch: Object.fromEntries(edits.config) })
  return operations
}

function idOrNull(tree: Tree, ref: number): string | null {
  return ref === ROOT ? null : tree.ids.textOf(ref)
}
