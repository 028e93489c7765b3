import { Flag, Kind, linePath, placeOf, ROOT, type Tree } from '@treeline/core'
import { markEdited } from './fork-operations.ts'
import { ForkRuns, IS_PLAIN, idOrNull, isOfThisVersion } from './fork-runs.ts'

/** What most nodes are flagged as, and no other. */
const USUAL = Flag.known | Flag.node

/** Entries of a path, those that are as usual together: each but the first hangs under the one whose line is before its own. */
interface Stretches {
  readonly firsts: ArrayLike<number>
  readonly lasts: ArrayLike<number>
}

/** The lines of a path, each under the one before it, where most of them always hung; and those that edits have marked. */
export function takePath(tree: Tree, leaf: number, edited: number[]): ForkRuns {
  const { rowOf, rawParent, flags, kind } = tree.columns
  const { hasId } = tree.heads
  const marked = markEdited(tree)
  const { firsts, lasts } = plainStretches(tree, leaf, marked) ?? singles(linePath(tree, leaf).refs)
  const runs = new ForkRuns()
  const isNew = isOfThisVersion(tree)
  let above = ROOT
  // The run that is open: its first row, and the one that would go on with it.
  let [first, next] = [-1, -1]
  for (let place = 0; place < firsts.length; place++) {
    const ref = firsts[place]!
    const flag = flags[ref]!
    if (marked[ref] !== flag || (flag & Flag.muted) !== 0) edited.push(ref)
    const row = tree.bodyRow(ref)
    // What is still being generated has no line.
    if (row < 0) continue
    const isCopy = (flag & Flag.copy) !== 0
    const isMoved = rawParent[ref] !== above || isCopy || tree.isCut(ref)
    if (isMoved) runs.parents.set(ref, idOrNull(tree, above))
    const isPlain = isNew && hasId[row] === 1 && IS_PLAIN[kind[ref]!] === 1 && !isCopy
    const last = lasts[place]!
    if (isPlain && (!isMoved || kind[ref] === Kind.message)) {
      if (row !== next) {
        runs.addRun(tree, first, next)
        first = row
      }
      if (isMoved) runs.moved.push(row)
      next = row + 1
    } else {
      runs.addRun(tree, first, next)
      runs.add(ref, row, 1, false)
      first = row + 1
      next = row + 1
    }
    next = last === ref ? next : rowOf[last]! + 1
    above = last
  }
  runs.addRun(tree, first, next)
  return runs
}

function singles(refs: ArrayLike<number>): Stretches {
  return { firsts: refs, lasts: refs }
}

/** For a path that no edit has changed, as `linePath` has it, by one walk up. Nothing when it is not as plain as that. */
function plainStretches(tree: Tree, leaf: number, marked: Uint8Array): Stretches | undefined {
  if (!isOfThisVersion(tree) || tree.hasCut) return undefined
  const { flags, kind, rawParent, parent } = tree.columns
  const [firsts, lasts]: [number[], number[]] = [[], []]
  let node = tree.columns.ownerOf(leaf)
  for (let at = leaf; at > ROOT; at = rawParent[at]!) {
    const flag = flags[at]!
    const last = at
    if ((flag & Flag.node) !== 0) {
      if (at !== node || (flag & Flag.copy) !== 0) return undefined
      at = firstOfStretch(tree, at, marked)
      node = parent[at]!
    } else if ((flag & Flag.known) === 0) break
    else if (placeOf(kind[at]! as Kind) !== 'path') {
      if (tree.above(at) !== rawParent[at]) return undefined
      continue
    } else if (tree.generationNode(at) !== undefined) return undefined
    firsts.push(at)
    lasts.push(last)
  }
  return node > ROOT ? undefined : { firsts: firsts.reverse(), lasts: lasts.reverse() }
}

/** A loop over nothing but arrays, and short: most of a path is in it, before anything is compiled. */
function firstOfStretch({ columns, heads }: Tree, last: number, marked: Uint8Array): number {
  const { kind, rawParent, parent, rowOf } = columns
  const { hasId } = heads
  let at = last
  for (let row = rowOf[at]!; row > 0; row--) {
    const up = rawParent[at]!
    const isUsual = marked[at] === USUAL && kind[at] === Kind.message && hasId[row] === 1
    if (!isUsual || up === ROOT || parent[at] !== up || rowOf[up] !== row - 1) break
    at = up
  }
  return at
}
