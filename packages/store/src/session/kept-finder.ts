import { Flag, Kind, linePath, ROOT, type Tree, type TreePath } from '@treeline/core'

/** What a compaction was counted along: entries as they were written under each other, top first. */
interface Chain {
  readonly places: ReadonlyMap<number, number>
  readonly firstPosition: LeastOf
}

const ABSENT = 0x7fffffff

/** Finds what the compactions of one path keep, with one look at the path however many there are. As `TreePath.findKept`. */
export class KeptFinder {
  readonly path: TreePath
  private readonly tree: Tree
  private readonly positions = new Map<number, number>()
  /** Where a node is on the path for the first time, itself or as a copy. */
  private readonly origins = new Map<number, number>()
  private chains: Map<number, Chain> | undefined

  constructor(tree: Tree, leaf: number) {
    this.tree = tree
    this.path = linePath(tree, leaf)
    this.path.refs.forEach((ref, position) => {
      this.positions.set(ref, position)
      const origin = this.originOf(ref)
      if (!this.origins.has(origin)) this.origins.set(origin, position)
    })
  }

  positionOf(ref: number): number | undefined {
    return this.positions.get(ref)
  }

  /** Where the stretch begins that a compaction keeps from `firstId` on; `undefined` when nothing of it is above it. */
  find(compaction: number, firstId: string): number | undefined {
    const below = this.positions.get(compaction)!
    const first = this.tree.ids.find(firstId)
    const position = this.positions.get(first)
    if (position !== undefined && position < below) return position
    this.chains ??= this.findChains()
    const origin = this.originOf(compaction)
    const chain = this.chains.get(origin)!
    const from = chain.places.get(this.originOf(first))
    const to = chain.places.get(origin)!
    if (from === undefined || from > to) return undefined
    const found = chain.firstPosition.between(from, to)
    return found < below ? found : undefined
  }

  /** From the last compaction up: those that were written above each other share a chain. */
  private findChains(): Map<number, Chain> {
    const { columns } = this.tree
    const chains = new Map<number, Chain>()
    for (const ref of this.path.refs.toReversed()) {
      const origin = this.originOf(ref)
      if (columns.kind[origin] !== Kind.compaction || chains.has(origin)) continue
      const passed = new Set<number>()
      for (let at = origin; at > ROOT && !passed.has(at); at = this.originOf(this.tree.above(at))) {
        passed.add(at)
        if (!columns.has(at, Flag.known)) break
      }
      const refs = [...passed].reverse()
      const firstPosition = new LeastOf(refs.map((at) => this.origins.get(at) ?? ABSENT))
      const chain = { places: new Map(refs.map((at, place) => [at, place])), firstPosition }
      for (const at of refs) if (columns.kind[at] === Kind.compaction && !chains.has(at)) chains.set(at, chain)
    }
    return chains
  }

  private originOf(ref: number): number {
    return this.tree.edits.copies.get(ref)?.body ?? ref
  }
}

/** The least of any stretch of a list, in logarithmic time: each number above two others is the lesser of them. */
class LeastOf {
  private readonly heap: Int32Array
  private readonly count: number

  constructor(values: readonly number[]) {
    this.count = values.length
    this.heap = new Int32Array(2 * this.count)
    this.heap.set(values, this.count)
    for (let i = this.count - 1; i > 0; i--) this.heap[i] = Math.min(this.heap[2 * i]!, this.heap[2 * i + 1]!)
  }

  /** Both ends included. */
  between(first: number, last: number): number {
    let least = ABSENT
    let low = first + this.count
    let high = last + this.count + 1
    for (; low < high; low >>= 1, high >>= 1) {
      if (low & 1) least = Math.min(least, this.heap[low++]!)
      if (high & 1) least = Math.min(least, this.heap[--high]!)
    }
    return least
  }
}
