import assert from 'node:assert/strict'
import type { Heads } from '../../packages/core/src/codec/heads.ts'
import { scanLog } from '../../packages/core/src/codec/scan.ts'
import type { Entry } from '../../packages/core/src/entry/entry.ts'
import { kindOf, placeOf } from '../../packages/core/src/entry/kind.ts'
import { ROOT } from '../../packages/core/src/tree/columns.ts'
import { Tree } from '../../packages/core/src/tree/tree.ts'
import { makeLog } from '../inputs/make-log.ts'
import type { Row } from '../row.ts'

const ENTRIES = 100_000

interface Input {
  readonly heads: Heads
  readonly entries: readonly Entry[]
}

interface ObjectNode {
  readonly entry: Entry
  readonly children: ObjectNode[]
}

/** One Map and no sorting by time: Pi builds two and sorts, so this is kinder than what is used today. */
interface ObjectTree {
  readonly nodes: ReadonlyMap<string, ObjectNode>
  readonly roots: readonly ObjectNode[]
  readonly labels: ReadonlyMap<string, string>
  readonly leafId: string | null
}

export const tree100k: Row<Input, Tree, ObjectTree> = {
  id: 'tree-100k',
  what: 'the tree of 100,000 entries from heads | with objects and Maps from parsed entries',
  target: 0.25,

  prepare() {
    const log = makeLog({ seed: 100, maxEntries: ENTRIES, sealedShare: 1, branching: 0.02, textScale: 0.05 })
    const lines = Buffer.from(log).toString().trimEnd().split('\n')
    return { heads: scanLog(log).heads, entries: lines.slice(1).map((line) => JSON.parse(line) as Entry) }
  },

  ours({ heads }) {
    return new Tree(heads)
  },

  theirs({ entries }) {
    const nodes = new Map<string, ObjectNode>()
    const labels = new Map<string, string>()
    const roots: ObjectNode[] = []
    let leafId: string | null = null
    for (const entry of entries) {
      nodes.set(entry.id, { entry, children: [] })
      leafId = entry.id
      if (entry.type === 'label') {
        if (entry.label) labels.set(entry.targetId as string, entry.label as string)
        else labels.delete(entry.targetId as string)
      }
    }
    // A second pass, because a parent may come after its child.
    for (const node of nodes.values()) {
      const { parentId } = node.entry
      const parent = parentId === null ? undefined : nodes.get(parentId)
      if (parent === undefined) roots.push(node)
      else parent.children.push(node)
    }
    return { nodes, roots, labels, leafId }
  },

  verify(tree, { nodes, roots, labels, leafId }, { entries }) {
    const { columns, ids, edits } = tree
    assert.equal(tree.rowCount, ENTRIES)
    assert.equal(nodes.size, ENTRIES)
    assert.equal(ids.textOf(tree.leaf), leafId)
    assert.deepEqual(new Map([...edits.labels].map(([id, { label }]) => [id, label])), labels)
    assert.ok(labels.size > 100)

    const order = new Map(entries.map((entry, row) => [entry.id, row]))
    const inOrder = (list: readonly ObjectNode[]) =>
      list.map(({ entry }) => entry.id).sort((a, b) => order.get(a)! - order.get(b)!)
    assert.deepEqual(
      columns.children(ROOT).map((ref) => ids.textOf(ref)),
      inOrder(seen(roots)),
    )
    let branches = 0
    for (const node of nodes.values()) {
      if (!isSeen(node)) continue
      const children = columns.children(ids.find(node.entry.id)).map((ref) => ids.textOf(ref))
      assert.deepEqual(children, inOrder(seen(node.children)))
      if (children.length > 1) branches++
    }
    assert.ok(branches > 1_000)
  },
}

function isSeen({ entry }: ObjectNode): boolean {
  return placeOf(kindOf(entry.type, entry.customType)) === 'node'
}

/** Our tree shows what a person sees; what hangs under a label or a model change belongs to the node above it. */
function seen(nodes: readonly ObjectNode[]): ObjectNode[] {
  return nodes.flatMap((node) => (isSeen(node) ? [node] : seen(node.children)))
}
