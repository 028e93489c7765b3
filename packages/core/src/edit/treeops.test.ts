import { describe, expect, test } from 'vitest'
import type { Entry } from '../entry/entry.ts'
import { TreelineError } from '../errors.ts'
import { TestLog } from '../testing/make-tree.ts'
import { hasShared, listShared, readSharedJson, SKIPPED } from '../testing/shared-fixtures.ts'
import { listFragments } from '../tree/branches.ts'
import { Flag, ROOT } from '../tree/columns.ts'
import { nodePath } from '../tree/path.ts'
import type { EditRequestOp } from './op.ts'
import { planEdit } from './plan.ts'

interface VectorNode {
  id: string
  parentId: string | null
  children: string[]
  role: string
  status: string
  isEnabled: boolean
  version: number
}
interface VectorTree {
  nodes: Record<string, VectorNode>
  roots: string[]
  fragments: { root: string; fromParentId: string | null; fromIndex: number }[]
  activeLeafId: string | null
  deleted: string[]
}
interface Vector {
  name: string
  initial: VectorTree
  request: { baseVersion?: number; operations: Record<string, unknown>[] }
  expected:
    | { status: 200; tree: VectorTree; activeLeafMoved: boolean; context: string[] }
    | { status: number; code: string; nodeIds: string[]; treeUnchanged: true; tree?: undefined }
}

const vectors = listShared('treeops', '.json').map((name) => readSharedJson<Vector>(`treeops/${name}.json`))

describe.skipIf(!hasShared)(`the edit vectors of API.md${hasShared ? '' : ` (${SKIPPED})`}`, () => {
  test.each(vectors.map((vector) => [vector.name, vector] as const))('%s', (_name, { initial, request, expected }) => {
    const log = build(initial)
    const before = observe(log, initial.activeLeafId)
    const operations = request.operations.map(toCoreOp)
    const leaf = initial.activeLeafId === null ? ROOT : log.tree.ids.find(initial.activeLeafId)
    const plan = () => planEdit(log.tree, leaf, { operations, ...(request.baseVersion && { baseVersion: 30 }) })
    if (expected.tree === undefined) {
      const error = catchError(plan)
      expect(error.code).toBe(expected.code)
      expect(error.status).toBe(expected.status)
      expect(error.details.nodeIds).toEqual(expected.nodeIds)
      expect(observe(log, initial.activeLeafId)).toEqual(before)
      return
    }
    const { entry, leafId, leafMoved } = plan()
    expect(observe(log, initial.activeLeafId)).toEqual(before)
    if (entry !== undefined) log.append(entry)
    expect(log.tree.problems()).toEqual([])
    const names = new Map<string, string>()
    for (const [copy, { original }] of log.tree.edits.copies) {
      const id = log.tree.ids.textOf(copy)
      if (!(id in expected.tree.nodes)) names.set(id, `${log.tree.ids.textOf(original)}'`)
    }
    expect(observe(log, leafId, names)).toEqual({
      nodes: Object.fromEntries(
        Object.values(expected.tree.nodes).map((n) => [n.id, [n.parentId, n.children, n.isEnabled]]),
      ),
      roots: expected.tree.roots,
      fragments: expected.tree.fragments.map((f) => [f.root, f.fromParentId, f.fromIndex]),
      activeLeafId: expected.tree.activeLeafId,
      deleted: [...expected.tree.deleted].sort(),
      context: expected.context,
    })
    expect(leafMoved).toBe(expected.activeLeafMoved)
  })
})

/** The API's words for operations, in core's. */
function toCoreOp({ op, ...rest }: Record<string, unknown>): EditRequestOp {
  if (op === 'setEnabled') {
    const { isEnabled, ...fields } = rest
    return { op: isEnabled ? 'unmute' : 'mute', ...fields } as unknown as EditRequestOp
  }
  const name = op === 'setActiveLeaf' ? 'leaf' : op === 'setMetadata' ? 'meta' : op
  return { op: name, ...rest } as unknown as EditRequestOp
}

function build(initial: VectorTree): TestLog {
  const log = new TestLog()
  const time = '2026-01-01T00:00:00.000Z'
  const muted: string[] = []
  for (const node of Object.values(initial.nodes)) {
    const { id, parentId, role } = node
    if (node.status === 'generating') {
      const data = { nodeId: id, parentId, model: 'm' }
      log.append({ type: 'custom', id: `g-${id}`, parentId, timestamp: time, customType: 'treeline/generation', data })
    } else log.append({ type: 'message', id, parentId, timestamp: time, message: { role, content: id } } as Entry)
    if (!node.isEnabled) muted.push(id)
  }
  if (muted.length > 0) {
    const data = { ops: [{ op: 'mute', nodeIds: muted }], inverse: [] }
    log.append({ type: 'custom', id: 'mute', parentId: null, timestamp: time, customType: 'treeline/edit', data })
  }
  return log
}

function observe(log: TestLog, leafId: string | null, names = new Map<string, string>()): unknown {
  const { tree } = log
  const { columns, edits } = tree
  const name = (ref: number) => {
    const id = tree.ids.textOf(ref)
    return names.get(id) ?? id
  }
  const gone = new Set<number>()
  for (const top of edits.deleted.keys()) for (const ref of columns.subtree(top)) gone.add(ref)
  const nodes: Record<string, unknown> = {}
  for (let ref = 1; ref < tree.ids.count; ref++) {
    if (!columns.has(ref, Flag.node) || gone.has(ref)) continue
    const parent = columns.parent[ref]! > ROOT ? name(columns.parent[ref]!) : null
    nodes[name(ref)] = [parent, columns.children(ref).map(name), !columns.has(ref, Flag.muted)]
  }
  const leaf = leafId === null ? ROOT : tree.ids.find(leafId)
  return {
    nodes,
    roots: columns.children(ROOT).map(name),
    fragments: listFragments(tree).map((f) => [f.fragmentId, f.fromParentId, f.fromIndex]),
    activeLeafId: leafId,
    deleted: [...gone].map(name).sort(),
    context: nodePath(tree, leaf)
      .filter((ref) => !columns.has(ref, Flag.muted) && !columns.has(ref, Flag.generating))
      .map(name),
  }
}

function catchError(act: () => unknown): TreelineError {
  try {
    act()
  } catch (error) {
    if (error instanceof TreelineError) return error
    throw error
  }
  throw new Error('expected a TreelineError')
}
