import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agentParents, bushyTree, chance, findTooNear, parentsArb, sized, tidyArb } from './testing/trees.ts'
import { type TidyInput, tidy } from './tidy.ts'

const runs = { numRuns: 300 * Number(process.env.TREELINE_RUNS_FACTOR ?? 1) }

function tooNear(input: TidyInput): number[][] {
  const { width, height, gaps } = input
  return findTooNear({ ...tidy(input), width, height }, gaps.beside, gaps.below)
}

function childrenOf(parent: Int32Array): Map<number, number[]> {
  const children = new Map<number, number[]>()
  parent.forEach((above, box) => void children.set(above, [...(children.get(above) ?? []), box]))
  return children
}

test('no two boxes overlap or come nearer than the gaps, whatever their sizes', () => {
  fc.assert(
    fc.property(tidyArb(120), (input) => {
      expect(tooNear(input)).toEqual([])
    }),
    runs,
  )
})

test('nor where deep and shallow, wide and narrow branches stand beside and under each other', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      expect(tooNear(bushyTree(seed))).toEqual([])
    }),
    runs,
  )
})

test('a parent stands straight above its first child, children below it, siblings in their order', () => {
  fc.assert(
    fc.property(tidyArb(120), (input) => {
      const { x, y } = tidy(input)
      for (const [above, children] of childrenOf(input.parent)) {
        if (above < 0) continue
        expect(x[children[0]!]).toBe(x[above])
        const below = y[above]! + input.height[above]! + input.gaps.below
        for (const [i, child] of children.entries()) {
          expect(y[child]).toBe(below)
          if (i > 0) expect(x[child]).toBeGreaterThan(x[children[i - 1]!]!)
        }
      }
    }),
    runs,
  )
})

test('no branch stands further to the right than something to its left makes it', () => {
  fc.assert(
    fc.property(tidyArb(40), (input) => {
      const { parent, width, height, gaps } = input
      const { x, y } = tidy(input)
      const under = (box: number, top: number): boolean => {
        for (let at = box; at >= 0; at = parent[at]!) if (at === top) return true
        return false
      }
      for (const [above, children] of childrenOf(parent)) {
        for (const top of children.slice(1)) {
          if (above < 0) continue
          const all = Array.from(x.keys()).filter((box) => under(box, above) && box < parent.length)
          const moved = all.filter((box) => under(box, top))
          const before = all.filter((box) => children.some((other) => other < top && under(box, other)))
          const touches = moved.some((box) =>
            before.some(
              (other) =>
                Math.abs(x[other]! + width[other]! + gaps.beside - x[box]!) < 1e-6 &&
                y[other]! < y[box]! + height[box]! + gaps.below &&
                y[box]! < y[other]! + height[other]! + gaps.below,
            ),
          )
          expect(touches).toBe(true)
        }
      }
    }),
    { numRuns: runs.numRuns / 3 },
  )
})

test('a tree whose children stand before their parents is the same tree', () => {
  fc.assert(
    fc.property(tidyArb(80), fc.nat(), (input, seed) => {
      const { length } = input.parent
      const random = chance(seed)
      // Any new names, so long as siblings keep their order.
      const names = Array.from({ length }, (_, i) => i)
      for (let i = length - 1; i > 0; i--) {
        const j = Math.floor(random() * (i + 1))
        ;[names[i], names[j]] = [names[j]!, names[i]!]
      }
      for (const children of childrenOf(input.parent).values()) {
        const own = children.map((box) => names[box]!).sort((a, b) => a - b)
        for (const [i, box] of children.entries()) names[box] = own[i]!
      }
      const renamed = sized(new Int32Array(length))
      for (let box = 0; box < length; box++) {
        const above = input.parent[box]!
        renamed.parent[names[box]!] = above < 0 ? above : names[above]!
        renamed.width[names[box]!] = input.width[box]!
        renamed.height[names[box]!] = input.height[box]!
      }
      const [was, is] = [tidy(input), tidy(renamed)]
      expect(names.map((name) => is.x[name])).toEqual([...was.x])
      expect(names.map((name) => is.y[name])).toEqual([...was.y])
    }),
    runs,
  )
})

test('any numbers as parents and sizes end in positions: circles are cut, nothing overlaps', () => {
  const any = fc.oneof(fc.integer({ min: -3, max: 45 }), fc.integer())
  const size = fc.oneof(fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1, 0), fc.integer({ min: 1, max: 9 }))
  fc.assert(
    fc.property(fc.array(fc.tuple(any, size, size), { maxLength: 40 }), (rows) => {
      const input = {
        ...sized(Int32Array.from(rows, ([parent]) => parent)),
        width: Float64Array.from(rows, ([, width]) => width),
        height: Float64Array.from(rows, ([, , height]) => height),
      }
      const { x, y } = tidy(input)
      expect([...x, ...y].every(Number.isFinite)).toBe(true)
      const asSeen = (sizes: Float64Array) => sizes.map((own) => (own > 0 && own < 1e9 ? own : 0))
      expect(findTooNear({ x, y, width: asSeen(input.width), height: asSeen(input.height) }, 0, 0)).toEqual([])
    }),
    runs,
  )
})

test('a node that comes changes the height of nothing, and one that comes at the end of the first line moves nothing', () => {
  fc.assert(
    fc.property(parentsArb(80), fc.nat(), (parents, at) => {
      fc.pre(parents.length > 0 && !parents.includes(-2))
      const before = tidy(sized(Int32Array.from(parents)))
      const anywhere = tidy(sized(Int32Array.from([...parents, at % parents.length])))
      expect([...anywhere.y.subarray(0, parents.length)]).toEqual([...before.y])
      let end = 0
      for (let next = parents.indexOf(0); next >= 0; next = parents.indexOf(next)) end = next
      const { x, y } = tidy(sized(Int32Array.from([...parents, end])))
      expect([...x.subarray(0, parents.length)]).toEqual([...before.x])
      expect([...y.subarray(0, parents.length)]).toEqual([...before.y])
    }),
    runs,
  )
})

test('what stands aside is left of everything else, one below the other, and moves nothing', () => {
  const trees = [-1, 0, 0, 1]
  const with2 = tidy(sized(Int32Array.from([...trees, -2, 4, 4, -2])))
  const without = tidy(sized(Int32Array.from(trees)))
  expect([...with2.x.subarray(0, 4)]).toEqual([...without.x])
  expect([...with2.x.subarray(4)]).toEqual([-28, -28, -15, -15])
  expect([...with2.y.subarray(4)]).toEqual([0, 12, 12, 29])
})

test('nothing, one box, a chain of a million, 200,000 siblings and 200,000 trees are laid out', () => {
  expect(tidy(sized(new Int32Array(0)))).toEqual({ x: new Float64Array(0), y: new Float64Array(0) })
  expect(tidy(sized(Int32Array.of(-1)))).toEqual({ x: Float64Array.of(0), y: Float64Array.of(0) })
  const chain = tidy(sized(Int32Array.from({ length: 1_000_000 }, (_, i) => i - 1)))
  expect([chain.x[999_999], chain.y[999_999]]).toEqual([0, 12 * 999_999])
  const upward = tidy(sized(Int32Array.from({ length: 200_000 }, (_, i) => (i === 199_999 ? -1 : i + 1))))
  expect([upward.x[0], upward.y[0]]).toEqual([0, 12 * 199_999])
  const wide = tidy(sized(Int32Array.from({ length: 200_001 }, (_, i) => (i === 0 ? -1 : 0))))
  expect([wide.x[1], wide.x[200_000]]).toEqual([0, 13 * 199_999])
  const trees = tidy(sized(new Int32Array(200_000).fill(-1)))
  expect(trees.x[199_999]).toBe(18 * 199_999)
})

test('100,000 boxes of an agent’s tree keep apart', () => {
  expect(tooNear(sized(agentParents(100_000)))).toEqual([])
})
