import fc from 'fast-check'
import type { Rects } from '../hit.ts'
import type { TidyInput } from '../tidy.ts'

const GAPS = { beside: 3, below: 2, trees: 5 }

/** Parents as they come in a log: mostly the node before, sometimes another, sometimes a new top. */
export function parentsArb(maxLength: number): fc.Arbitrary<number[]> {
  const step = fc.record({ kind: fc.nat(99), at: fc.nat() })
  return fc.array(step, { maxLength }).map((steps) =>
    steps.map(({ kind, at }, i) => {
      if (i === 0 || kind === 0) return kind === 0 && at % 2 === 1 ? -2 : -1
      if (kind < 45) return i - 1
      // Tried again from a little above: branches of all depths beside each other, which is what contours are for.
      return kind < 65 ? Math.max(0, i - 2 - (at % 12)) : at % i
    }),
  )
}

export function tidyArb(maxLength: number): fc.Arbitrary<TidyInput> {
  const size = fc.oneof(fc.constant(10), fc.integer({ min: 1, max: 40 }))
  return parentsArb(maxLength).chain((parents) => {
    const sizes = fc.array(size, { minLength: parents.length, maxLength: parents.length })
    return fc.record({ width: sizes, height: sizes }).map(({ width, height }) => ({
      parent: Int32Array.from(parents),
      width: Float64Array.from(width),
      height: Float64Array.from(height),
      gaps: GAPS,
    }))
  })
}

/** Chance that is the same on every run. */
export function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** One tree of a hundred boxes of any size, rather deep: fast-check alone makes small and flat ones more often. */
export function bushyTree(seed: number): TidyInput {
  const next = chance(seed)
  const tree = sized(Int32Array.from({ length: 100 }, (_, i) => (i === 0 ? -1 : Math.floor(i * Math.sqrt(next())))))
  for (const sizes of [tree.width, tree.height]) for (let i = 0; i < 100; i++) sizes[i] = 1 + Math.floor(next() * 40)
  return tree
}

/** A long conversation with an agent: one node in fifty is tried again from somewhere a little above. */
export function agentParents(count: number): Int32Array {
  const next = chance(9)
  return Int32Array.from({ length: count }, (_, i) => {
    if (i === 0 || next() >= 0.02) return i - 1
    return Math.max(0, i - 1 - Math.floor(next() * 200))
  })
}

export function sized(parent: Int32Array, width = 10, height = 10): TidyInput {
  const { length } = parent
  return {
    parent,
    width: new Float64Array(length).fill(width),
    height: new Float64Array(length).fill(height),
    gaps: GAPS,
  }
}

/** Pairs of boxes nearer to each other than the gaps, found by sweeping down: at most so many. */
export function findTooNear({ x, y, width, height }: Rects, beside: number, below: number, most = 5): number[][] {
  const byTop = Array.from(x.keys()).sort((a, b) => y[a]! - y[b]!)
  const found: number[][] = []
  let open: number[] = []
  for (const box of byTop) {
    open = open.filter((other) => y[other]! + height[other]! + below > y[box]!)
    for (const other of open) {
      const [left, right] = x[other]! <= x[box]! ? [other, box] : [box, other]
      if (x[left]! + width[left]! + beside > x[right]!) found.push([other, box])
      if (found.length >= most) return found
    }
    open.push(box)
  }
  return found
}
