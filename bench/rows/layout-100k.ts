import assert from 'node:assert/strict'
import { hierarchy, Node, tree } from 'd3-hierarchy'
import { addNodes, createForest, setLeaf } from '../../packages/web/src/layout/forest.ts'
import { layOut, type View } from '../../packages/web/src/layout/lay-out.ts'
import { type Positions, type TidyInput, tidy } from '../../packages/web/src/layout/tidy.ts'
import { agentShape, chainShape, randomShape } from '../inputs/tree-shapes.ts'
import type { Row } from '../row.ts'
import { median } from '../statistics.ts'

const NODES = 100_000
const ROUNDS = 7

interface D3Node {
  children?: D3Node[]
  parent: D3Node | null
  depth: number
  readonly x: number
  readonly y: number
}

interface Input {
  readonly boxes: TidyInput
  readonly nodes: readonly D3Node[]
}

export const layout100k: Row<Input, Positions, D3Node> = {
  id: 'layout-100k',
  what: 'a tidy tree of 100,000 boxes of any size | tree() of d3-hierarchy, all of one size, its nodes made before',
  target: 0.05,

  prepare: () => inputOf(agentShape(NODES)),

  ours: ({ boxes }) => tidy(boxes),

  theirs: ({ nodes }) => d3Tree(nodes[0]!),

  verify({ x, y }, _, { boxes, nodes }) {
    const levels = Map.groupBy(nodes.keys(), (box) => nodes[box]!.depth)
    assert.ok(levels.size > 1_000)
    for (const [depth, level] of levels) {
      for (const box of level) assert.ok(y[box] === depth && nodes[box]!.y === depth)
      const ours = level.toSorted((a, b) => x[a]! - x[b]!)
      assert.deepEqual(
        ours,
        level.toSorted((a, b) => nodes[a]!.x - nodes[b]!.x),
      )
      for (const [i, box] of ours.entries()) assert.ok(i === 0 || x[box]! - x[ours[i - 1]!]! > 1 - 1e-6)
    }
    for (const [box, above] of boxes.parent.entries())
      if (above === box - 1 && above >= 0) assert.equal(x[box], x[above])
  },

  also({ nodes }) {
    const theirs = (): unknown => d3Tree(nodes[0]!)
    const chain = chainShape(NODES / 5)
    const { boxes } = inputOf(chain)
    const data = dataOf(chain)
    return {
      random: ratioOfShape(inputOf(randomShape(NODES))),
      chain: ratioOfShape(inputOf(chainShape(NODES))),
      chain20kWhole: ratio(
        () => tidy(boxes),
        () => d3Tree(hierarchy(data)),
        1,
      ),
      ...ratiosOfPage(agentShape(NODES), theirs),
    }
  },
}

function inputOf(parent: Int32Array): Input {
  const one = new Float64Array(parent.length).fill(1)
  return { boxes: { parent, width: one, height: one, gaps: { beside: 0, below: 0, trees: 0 } }, nodes: d3Nodes(parent) }
}

/** As `hierarchy` makes them, but for their heights, for which it takes seconds and `tree` does not ask. */
function d3Nodes(parent: Int32Array): D3Node[] {
  const nodes: D3Node[] = []
  for (const above of parent) {
    const node: D3Node = new Node(undefined)
    const parentNode = nodes[above]
    if (parentNode !== undefined) {
      node.parent = parentNode
      node.depth = parentNode.depth + 1
      parentNode.children ??= []
      parentNode.children.push(node)
    }
    nodes.push(node)
  }
  return nodes
}

/** Without the greater distance between cousins, so that both sides keep the same. */
function d3Tree(root: D3Node): D3Node {
  const layOutTree = tree()
    .nodeSize([1, 1])
    .separation(() => 1)
  return layOutTree(root)
}

function dataOf(parent: Int32Array): object {
  const data = Array.from(parent, () => ({ children: [] as object[] }))
  for (const [i, above] of parent.entries()) data[above]?.children.push(data[i]!)
  return data[0]!
}

function ratioOfShape({ boxes, nodes }: Input): number {
  return ratio(
    () => tidy(boxes),
    () => d3Tree(nodes[0]!),
  )
}

/** The page's own work, everything folded as at first, against laying out all nodes. */
function ratiosOfPage(parent: Int32Array, theirs: () => unknown): Record<string, number> {
  const size = { width: 200, height: 60 }
  const view: View = {
    shown: new Uint8Array(NODES),
    trunkFirst: true,
    minRun: 3,
    maxFolded: 20,
    sizes: { node: size, segment: size, branch: size, more: size },
    gaps: { beside: 20, below: 30, trees: 60 },
  }
  const places = { parent, flags: new Uint8Array(NODES), orders: new Int32Array(0), leaf: NODES - 1 }
  const forest = createForest(places)
  let leaf = NODES - 1
  const addOne = (): unknown => {
    addNodes(forest, { parent: Int32Array.of(leaf), flags: Uint8Array.of(0) })
    setLeaf(forest, ++leaf)
    return layOut(forest, view)
  }
  return { drawn: ratio(() => layOut(createForest(places), view), theirs), node: ratio(addOne, theirs) }
}

function ratio(ours: () => unknown, theirs: () => unknown, rounds = ROUNDS): number {
  const times = { ours: [] as number[], theirs: [] as number[] }
  // The first round of each only warms up.
  for (let round = 0; round <= rounds; round++) {
    const [oursMs, theirsMs] = [timeMs(ours), timeMs(theirs)]
    if (round === 0 && rounds > 1) continue
    times.ours.push(oursMs)
    times.theirs.push(theirsMs)
  }
  return Number((median(times.ours) / median(times.theirs)).toPrecision(2))
}

function timeMs(run: () => unknown): number {
  const start = performance.now()
  run()
  return performance.now() - start
}
