import { crc32 } from 'node:zlib'
import {
  checkCrc,
  type Entry,
  encodeLine,
  Kind,
  parseRecord,
  storedPath,
  type Tree,
  TreelineError,
} from '@treeline/core'
import type { ForkPlan } from './fork.ts'
import { parentOf, type Taken } from './fork-runs.ts'
import type { KeptFinder } from './kept-finder.ts'
import type { LeftOut } from './left-out.ts'
import type { NewLines } from './new-lines.ts'
import { rewritten, sealed, withHead } from './relink.ts'
import { upgradeRecord } from './upgrade-record.ts'

/** Hands over the entry with the parent it has now, and tells of it when there is none in its bytes. */
export function orLeaveOut(tree: Tree, leftOut: LeftOut, taken: Taken, copy: (taken: Taken) => void): void {
  try {
    copy(relink(tree, taken, leftOut))
  } catch (error) {
    if (!(error instanceof TreelineError)) throw error
    leftOut.addEntry(taken.id, parentOf(tree, taken), taken.row, error)
  }
}

export interface CopyingOne {
  readonly tree: Tree
  readonly finders: ForkPlan['finders']
  readonly leftOut: LeftOut
  readonly taken: Taken
}

/** The line of an entry whose record is of an older version, or has no id. */
export function upgradedLine(copying: CopyingOne, entry: Entry | undefined, record: Uint8Array): Uint8Array {
  const { tree, leftOut, taken } = copying
  const [line, offset] = [tree.heads.line[taken.row]!, tree.heads.offset[taken.row]!]
  if (entry === undefined) {
    const message = `Line ${line} (byte ${offset}) is damaged and is left out of the fork.`
    throw new TreelineError('damaged', message, { line, offset })
  }
  const parentId = taken.parentId === undefined ? leftOut.above(entry.parentId) : taken.parentId
  const upgraded = { ...entry, ...keptBy(copying, entry), id: taken.id, parentId }
  const id = tree.heads.hasId[taken.row] === 1 ? tree.ids.textOf(tree.refAtRow(taken.row)) : undefined
  const { entry: stored, clean } = parseRecord(record, tree.options.version < 2 ? {} : { id })
  return clean ? upgradeRecord(record, stored, upgraded) : encodeLine(upgraded)
}

/** Throws `damaged` when there is no entry in the record. */
export function addCopy(lines: NewLines, copying: CopyingOne, record: Uint8Array): void {
  const { tree, taken } = copying
  const { id, row, parentId } = taken
  const isSound = checkCrc(record, 0, record.length, crc32) === 'ok'
  const isCompaction = tree.columns.kind[tree.refAtRow(row)] === Kind.compaction
  if (!isSound || isCompaction) {
    const { line, offset } = tree.heads
    const expected = { id: tree.ids.textOf(tree.refAtRow(row)), line: line[row], offset: offset[row] }
    const { entry, clean } = parseRecord(record, expected)
    const kept = keptBy(copying, entry)
    const members = { ...kept, id, parentId: parentId === undefined ? entry.parentId : parentId }
    if (!clean) lines.add(encodeLine({ ...entry, ...members }))
    else if (kept !== undefined) lines.add(rewritten(record, members))
    if (!clean || kept !== undefined) return
  }
  if (parentId === undefined) lines.add(sealed(record))
  else lines.add(withHead(record, id, parentId) ?? rewritten(record, { id, parentId }))
}

/** A compaction names what it keeps by the id that has in the fork: of a copy, or of what is left of the stretch. */
function keptBy({ tree, finders, leftOut, taken }: CopyingOne, entry: Entry): { firstKeptEntryId: string } | undefined {
  const first = entry.type === 'compaction' ? entry.firstKeptEntryId : undefined
  if (typeof first !== 'string') return undefined
  const finder: KeptFinder | undefined = finders.get(taken.ref)
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

function relink(tree: Tree, taken: Taken, leftOut: LeftOut): Taken {
  if (!leftOut.hasEntries) return taken
  const parentId = parentOf(tree, taken)
  return leftOut.has(parentId) ? { ...taken, parentId: leftOut.above(parentId) } : taken
}
