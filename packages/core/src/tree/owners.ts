import { type Kind, placeOf } from '../entry/kind.ts'
import { Flag, ROOT, type Settled } from './columns.ts'
import type { Tree } from './tree.ts'

/**
 * Finds the nearest node and the nearest path entry at or above every entry, for a log whose lines did not come parents first, and cuts rings of
 * parents at their earliest line. One pass, no recursion: each entry is walked over once, a ring once more.
 */
export function settleOwners(tree: Tree, onCycle: (ref: number, length: number) => void): Settled {
  const { columns } = tree
  const count = tree.ids.count
  const onWalk = new Uint8Array(count)
  const done = new Uint8Array(count)
  const settled = { owner: new Int32Array(count), seat: new Int32Array(count) }
  const walk: number[] = []
  for (let start = 1; start < count; start++) {
    if (done[start] || !columns.has(start, Flag.known)) continue
    let at = start
    while (at !== ROOT && columns.has(at, Flag.known) && !done[at]) {
      if (onWalk[at]) {
        const ring = walk.slice(walk.indexOf(at))
        const first = ring.reduce((a, b) => (tree.orderOf(b) < tree.orderOf(a) ? b : a))
        columns.rawParent[first] = ROOT
        onCycle(first, ring.length)
        for (const ref of walk) onWalk[ref] = 0
        walk.length = 0
        at = start
        continue
      }
      onWalk[at] = 1
      walk.push(at)
      at = columns.rawParent[at]!
    }
    // Here `at` is settled, or not in the log at all and then as good as ROOT.
    let owner = settled.owner[at]!
    let seat = settled.seat[at]!
    for (let i = walk.length - 1; i >= 0; i--) {
      const ref = walk[i]!
      owner = columns.has(ref, Flag.node) ? ref : (tree.generationNode(ref) ?? owner)
      if (placeOf(columns.kind[ref]! as Kind) !== 'aside') seat = tree.generationNode(ref) ?? ref
      settled.owner[ref] = owner
      settled.seat[ref] = seat
      done[ref] = 1
    }
    walk.length = 0
  }
  return settled
}
