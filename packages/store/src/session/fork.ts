import { crc32 } from 'node:zlib'
import {
  checkCrc,
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
  runUp,
  storedPath,
  type Tree,
  TreelineError,
} from '@treeline/core'
import type { LogView } from '../log/session-log.ts'
import { listOperations } from './fork-operations.ts'
import { KeptFinder } from './kept-finder.ts'
import type { LeftOut } from './left-out.ts'
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
  /** When the conversation began, ISO 8601; now by default. */
  readonly createdAt?: string | undefined
  /** Opaque lineage (S5); the source's id by default. */
  readonly parentSession?: string | undefined
  /**
   * Told of all that the fork does without: entries whose bytes cannot be read, effects of edits that cannot be said
   * again, and blobs that are not found or not what they should be. What hung under such an entry hangs under the nearest
   * one above it; a line goes on naming such a blob.
   */
  readonly onLeftOut?: ((problem: TreelineError) => void) | undefined
}

/** What a fork takes over: entries with the parents they will have, and the edits that still matter to them. */
export interface ForkPlan {
  readonly taken: readonly Taken[]
  /** Those that others come before although they hang under them. */
  readonly late: readonly Taken[]
  /** By compaction. */
  readonly finders: ReadonlyMap<number, KeptFinder>
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
    return { taken, late: findLate(tree, taken), finders: new Map(), operations: [] }
  }
  const refs = how === 'path' ? [...linePath(tree, ref).refs] : subtreeRefs(tree, ref)
  const included = new Set(refs)
  const taken: Taken[] = []
  let above = ROOT
  for (const at of refs) {
    const row = tree.bodyRow(at)
    if (row < 0) continue
    const parent = how === 'path' ? above : parentWithin(tree, at, included)
    // In a subtree it is always said: a line without a parent hangs under the one before it, which may be another here.
    const isUnchanged = how === 'path' && tree.columns.rawParent[at] === parent && !tree.columns.has(at, Flag.copy)
    taken.push({ ref: at, row, id: tree.ids.textOf(at), parentId: isUnchanged ? undefined : idOrNull(tree, parent) })
    above = at
  }
  const late = how === 'path' ? [] : findLate(tree, taken)
  return { taken, late, finders: createFinders(tree, taken), operations: listOperations(tree, refs) }
}

/**
 * The lines of a fork, ready to write, a few thousand entries at a time. Bodies are copied; only what is old, or has no
 * checksum that holds, is parsed as well. What cannot be read is left out.
 */
export async function* forkLines(view: LogView, plan: ForkPlan, leftOut: LeftOut): AsyncGenerator<Uint8Array> {
  // Whoever hangs under one of these has to know beforehand whether it is there.
  for (const some of inBatches(plan.late)) await copyLines(view, plan, some, leftOut)
  for (const some of inBatches(plan.taken)) yield await copyLines(view, plan, some, leftOut)
}

function* inBatches(taken: readonly Taken[]): Generator<readonly Taken[]> {
  for (let start = 0; start < taken.length; start += ROWS_PER_READ) yield taken.slice(start, start + ROWS_PER_READ)
}

async function copyLines(
  view: LogView,
  plan: ForkPlan,
  taken: readonly Taken[],
  leftOut: LeftOut,
): Promise<Uint8Array> {
  const { tree } = view
  const { heads } = tree
  const rows = taken.map(({ row }) => row)
  const lines = new LineList()
  const isOld = tree.options.version < LOG_VERSION || rows.some((row) => heads.hasId[row] === 0)
  const entries = isOld ? await view.readEntries(rows) : []
  const records = isOld ? [] : await view.readRecords(rows)
  for (const [i, one] of taken.entries()) {
    try {
      const copy = { tree, finder: plan.finders.get(one.ref), leftOut, taken: relink(tree, one, leftOut) }
      if (isOld) lines.add(upgradedLine(copy, entries[i]))
      else addCopy(lines, copy, records[i]!)
    } catch (error) {
      if (!(error instanceof TreelineError)) throw error
      leftOut.addEntry(one.id, parentOf(tree, one), one.row, error)
    }
  }
  return Buffer.concat(lines.finish())
}

interface Copying {
  readonly tree: Tree
  readonly finder: KeptFinder | undefined
  readonly leftOut: LeftOut
  readonly taken: Taken
}

function upgradedLine(copying: Copying, entry: Entry | undefined): Uint8Array {
  const { tree, leftOut, taken } = copying
  const [line, offset] = [tree.heads.line[taken.row]!, tree.heads.offset[taken.row]!]
  if (entry === undefined) {
    const message = `Line ${line} (byte ${offset}) is damaged and is left out of the fork.`
    throw new TreelineError('damaged', message, { line, offset })
  }
  const parentId = taken.parentId === undefined ? leftOut.above(entry.parentId) : taken.parentId
  return encodeLine({ ...entry, ...keptBy(copying, entry), id: taken.id, parentId })
}

/** Throws `damaged` when there is no entry in the record. */
function addCopy(lines: LineList, copying: Copying, record: Uint8Array): void {
  const { tree, taken } = copying
  const { id, row, parentId } = taken
  const isSound = checkCrc(record, 0, record.length, crc32) === 'ok'
  const isCompaction = tree.columns.kind[tree.refAtRow(row)] === Kind.compaction
  if (!isSound || isCompaction) {
    const { line, offset } = tree.heads
    const expected = { id: tree.ids.textOf(tree.refAtRow(row)), line: line[row], offset: offset[row] }
    const { entry, clean } = parseRecord(record, expected)
    const kept = keptBy(copying, entry)
    if (!clean || kept !== undefined) {
      lines.add(encodeLine({ ...entry, ...kept, id, parentId: parentId === undefined ? entry.parentId : parentId }))
      return
    }
  }
  if (parentId === undefined && (isSound || isSealed(record))) lines.addKept(record)
  else lines.add(relinked(record, taken))
}

/** A compaction names what it keeps by the id that has in the fork: of a copy, or of what is left of the stretch. */
function keptBy({ tree, finder, leftOut, taken }: Copying, entry: Entry): { firstKeptEntryId: string } | undefined {
  const first = entry.type === 'compaction' ? entry.firstKeptEntryId : undefined
  if (typeof first !== 'string') return undefined
  let firstKeptEntryId: string | undefined
  if (finder !== undefined) {
    const below = finder.positionOf(taken.ref)!
    let at = finder.find(taken.ref, first) ?? below
    while (at < below && leftOut.has(finder.path.idAt(at))) at++
    if (at < below) firstKeptEntryId = finder.path.idAt(at)
  } else if (leftOut.has(first)) {
    const { refs } = storedPath(tree, tree.columns.rawParent[tree.refAtRow(taken.row)]!)
    const ids = Array.from(refs.subarray(refs.indexOf(tree.ids.find(first)) + 1), (ref) => tree.ids.textOf(ref))
    firstKeptEntryId = ids.find((id) => !leftOut.has(id))
  }
  return firstKeptEntryId === undefined || firstKeptEntryId === first ? undefined : { firstKeptEntryId }
}

/** One for all compactions above each other: from the last up, so that the first of them finds the longest path. */
function createFinders(tree: Tree, taken: readonly Taken[]): Map<number, KeptFinder> {
  const finders = new Map<number, KeptFinder>()
  for (const { ref } of taken.toReversed()) {
    if (tree.columns.kind[ref] !== Kind.compaction || finders.has(ref)) continue
    const finder = new KeptFinder(tree, ref)
    for (const at of finder.path.refs) {
      if (tree.columns.kind[at] === Kind.compaction && !finders.has(at)) finders.set(at, finder)
    }
  }
  return finders
}

function relink(tree: Tree, taken: Taken, leftOut: LeftOut): Taken {
  if (!leftOut.hasEntries) return taken
  const parentId = parentOf(tree, taken)
  return leftOut.has(parentId) ? { ...taken, parentId: leftOut.above(parentId) } : taken
}

function parentOf(tree: Tree, { row, parentId }: Taken): string | null {
  return parentId === undefined ? idOrNull(tree, tree.columns.rawParent[tree.refAtRow(row)]!) : parentId
}

function findLate(tree: Tree, taken: readonly Taken[]): readonly Taken[] {
  const parents = new Set<string>()
  for (const one of taken) {
    const parent =
      one.parentId === undefined ? tree.columns.rawParent[tree.refAtRow(one.row)]! : refOf(tree, one.parentId)
    if (parent > ROOT && tree.bodyRow(parent) > one.row) parents.add(tree.ids.textOf(parent))
  }
  return parents.size === 0 ? [] : taken.filter(({ id }) => parents.has(id))
}

function refOf(tree: Tree, id: string | null): number {
  return id === null ? ROOT : tree.ids.find(id)
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
  const above = [...runUp(tree, columns.rawParent[ref]!)].find((at) => included.has(at))
  if (above !== undefined && columns.ownerOf(above) === owner) return above
  return included.has(owner) ? owner : ROOT
}

function idOrNull(tree: Tree, ref: number): string | null {
  return ref === ROOT ? null : tree.ids.textOf(ref)
}
