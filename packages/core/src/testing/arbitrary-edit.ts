import fc from 'fast-check'
import type { EditRequestOp } from '../edit/op.ts'
import { type EditPlan, planEdit } from '../edit/plan.ts'
import type { Entry } from '../entry/entry.ts'
import { TreelineError } from '../errors.ts'
import { Flag, ROOT } from '../tree/columns.ts'
import { attachedLeaf } from '../tree/leaf.ts'
import type { Tree } from '../tree/tree.ts'
import type { TestLog } from './make-tree.ts'

/** A request op whose ids are picked by number from whatever the tree holds when it is made. */
export interface EditPick {
  readonly op: string
  readonly a: number
  readonly b: number
  readonly index: number
  readonly flag: boolean
  readonly choice: number
}

export function arbitraryPick(): fc.Arbitrary<EditPick> {
  return fc.record({
    op: fc.constantFrom(
      ...['mute', 'unmute', 'prune', 'graft', 'graft', 'copy', 'delete', 'restore', 'reorder', 'leaf', 'meta', 'label'],
      ...['name', 'session', 'config'],
    ),
    a: fc.nat(),
    b: fc.nat(),
    index: fc.nat(4),
    flag: fc.boolean(),
    choice: fc.nat(2),
  })
}

export function toOp(tree: Tree, pick: EditPick): EditRequestOp {
  const { columns, ids, edits } = tree
  const all: string[] = []
  for (let ref = 1; ref < ids.count; ref++) if (columns.has(ref, Flag.node)) all.push(ids.textOf(ref))
  const id = (n: number) => all[n % all.length] ?? 'none'
  const { a, b, index, flag, choice } = pick
  switch (pick.op) {
    case 'mute':
    case 'unmute':
      return { op: pick.op, nodeIds: [id(a), id(b)], scope: (['nodes', 'subtree', 'ancestors'] as const)[choice]! }
    case 'prune':
      return { op: 'prune', nodeId: id(a), include: flag ? 'self' : 'descendants' }
    case 'graft':
      return { op: 'graft', sourceId: id(a), targetId: choice === 0 ? null : id(b), index, insertBetween: flag }
    case 'copy':
      return { op: 'graft', sourceId: id(a), targetId: choice === 0 ? null : id(b), mode: 'copy', insertBetween: flag }
    case 'delete':
      return { op: 'delete', nodeIds: [id(a), id(b)], how: flag ? 'splice' : 'subtree', onGenerating: 'cancel' }
    case 'restore': {
      const deleted = [...edits.deleted.keys()].map((ref) => ids.textOf(ref))
      return { op: 'restore', nodeIds: [deleted[a % Math.max(1, deleted.length)] ?? id(a)] }
    }
    case 'reorder': {
      const parent = choice === 0 ? ROOT : Math.max(ROOT, ids.find(id(a)))
      const children = columns.children(parent).map((ref) => ids.textOf(ref))
      if (flag) children.reverse()
      else children.push(...children.splice(0, index))
      return { op: 'reorder', parentId: parent === ROOT ? null : ids.textOf(parent), childrenIds: children }
    }
    case 'leaf':
      return { op: 'leaf', leafId: choice === 0 ? null : id(a), resolve: flag ? 'descend' : 'exact' }
    case 'meta':
      return { op: 'meta', nodeId: id(a), patch: { rating: flag ? index + 1 : null, pinned: flag } }
    case 'label':
      return { op: 'label', nodeId: id(a), label: flag ? `label ${index}` : null }
    case 'name':
      return { op: 'name', name: flag ? `name ${index}` : null }
    case 'session':
      return { op: 'session', patch: { starred: flag, tags: [String(index)] } }
    default:
      return { op: 'config', patch: { approvalMode: flag ? 'yolo' : null } }
  }
}

/** Plans. Refusals with a code are part of the game; anything else is a bug. */
export function attempt<T>(plan: () => T): T | undefined {
  try {
    return plan()
  } catch (error) {
    if (error instanceof TreelineError) return undefined
    throw error
  }
}

export function commit(log: TestLog, { entry }: EditPlan): void {
  if (entry !== undefined) log.append(JSON.parse(JSON.stringify(entry)) as Entry)
}

/** Makes the edits one after the other, each a line of its own; what is refused is left out. Ids and times are fixed. */
export function applyPicks(log: TestLog, picks: readonly EditPick[], prefix = 'x'): void {
  let made = 0
  const source = { now: () => '2026-01-02T00:00:00.000Z', newId: () => `${prefix}${made++}` }
  for (const pick of picks) {
    const operations = [toOp(log.tree, pick)]
    const plan = attempt(() => planEdit(log.tree, attachedLeaf(log.tree), { operations }, source))
    if (plan !== undefined) commit(log, plan)
  }
}
