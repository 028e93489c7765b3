import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Entry } from '../entry/entry.ts'
import { arbitraryPick, attempt, commit, toOp } from '../testing/arbitrary-edit.ts'
import { arbitraryEntries } from '../testing/arbitrary-log.ts'
import { describeTree, TestLog } from '../testing/make-tree.ts'
import { runs } from '../testing/runs.ts'
import { Flag, ROOT } from '../tree/columns.ts'
import { attachedLeaf } from '../tree/leaf.ts'
import { linePath } from '../tree/path.ts'
import type { Tree } from '../tree/tree.ts'
import { type EntryDraft, planAppend } from './append.ts'
import { planEdit } from './plan.ts'
import { planRedo, planUndo } from './undo.ts'

/** Copies and splices more often than by chance: a copy has no line to hang under. */
const EDITS = [undefined, undefined, undefined, 'copy', 'copy', 'delete', 'leaf']

const edits = fc.record({
  do: fc.constantFrom('edit', 'edit', 'edit', 'undo', 'redo'),
  pick: fc.tuple(arbitraryPick(), fc.constantFrom(...EDITS)).map(([pick, op]) => ({ ...pick, op: op ?? pick.op })),
})
const appends = fc.record({
  do: fc.constantFrom('message', 'message', 'model', 'label', 'generation', 'end'),
  pick: arbitraryPick(),
})
const steps = fc.array(fc.oneof({ weight: 3, arbitrary: edits }, { weight: 4, arbitrary: appends }), {
  maxLength: 30,
  size: 'max',
})

function draftOf(what: string, id: string): EntryDraft {
  switch (what) {
    case 'model':
      return { type: 'model_change', id, provider: 'p', modelId: id }
    case 'label':
      return { type: 'label', id, targetId: id, label: id }
    case 'generation':
      return { type: 'custom', id, customType: 'treeline/generation', data: { nodeId: `n-${id}`, model: 'm' } }
    default:
      return { type: 'message', id, message: { role: 'user', content: id } }
  }
}

function entriesWith({ columns, ids }: Tree, flag: number): number[] {
  return Array.from({ length: ids.count }, (_, ref) => ref).filter((ref) => columns.has(ref, flag))
}

function textOf(tree: Tree, ref: number): string | null {
  return ref === ROOT ? null : tree.ids.textOf(ref)
}

function lineTo(tree: Tree, leaf: number): (string | null)[] {
  return Array.from(linePath(tree, leaf).refs, (ref) => textOf(tree, ref))
}

function write(log: TestLog, lines: readonly Entry[]): void {
  log.append(...(JSON.parse(JSON.stringify(lines)) as Entry[]))
}

/** Appends to any entry there is: what was asked for must be what is seen, or be refused. */
function appendSomewhere(log: TestLog, what: string, n: number, staysAt: number | undefined, made: number): void {
  const { tree } = log
  const copies = entriesWith(tree, Flag.copy)
  const known = n % 3 === 0 && copies.length > 0 ? copies : [ROOT, ...entriesWith(tree, Flag.known)]
  const parent = known[n % known.length]!
  const parentId = textOf(tree, parent)
  const owner = tree.columns.ownerOf(parent)
  const expected = lineTo(tree, tree.columns.seatOf(parent))
  const draft = draftOf(what, `a${made}`)
  const leafAfter = staysAt === undefined ? {} : { leafAfter: textOf(tree, staysAt) }
  const plan = attempt(() => planAppend(tree, { parentId, draft, ...leafAfter }))
  if (plan === undefined) {
    const isLiving = (ref: number) => !tree.columns.has(tree.columns.topOf(tree.columns.ownerOf(ref)), Flag.deleted)
    const isRunning = tree.columns.has(tree.columns.seatOf(parent), Flag.generating)
    expect(isLiving(parent) && isLiving(staysAt ?? ROOT) && !isRunning).toBe(false)
    return
  }
  write(log, plan.lines)
  const added = tree.ids.find(what === 'generation' ? `n-${draft.id}` : draft.id!)
  const isNode = tree.columns.has(added, Flag.node)
  expect(isNode ? tree.columns.parent[added] : tree.columns.ownerOf(added)).toBe(owner)
  if (what !== 'label') expect(lineTo(tree, added)).toEqual([...expected, textOf(tree, added)])
  const leaf = staysAt ?? (what === 'label' ? tree.columns.seatOf(parent) : added)
  expect(textOf(tree, attachedLeaf(tree))).toBe(textOf(tree, attachedLeaf(tree, leaf)))
}

/** An answer that has been announced ends where it is by then. */
function endSome(log: TestLog, n: number): void {
  const { tree } = log
  const running = entriesWith(tree, Flag.generating)
  const node = running[n % Math.max(1, running.length)]
  if (node === undefined) return
  const [parent, line] = [tree.columns.parent[node], lineTo(tree, node)]
  const draft = draftOf('message', tree.ids.textOf(node))
  write(log, planAppend(tree, { parentId: textOf(tree, tree.columns.parent[node]!), draft }).lines)
  expect(tree.columns.has(node, Flag.generating)).toBe(false)
  expect(tree.columns.parent[node]).toBe(parent)
  expect(lineTo(tree, node)).toEqual(line)
}

test('D1, G2 whatever was edited, an entry is where it was put and at the end of its line, also when read afresh', () => {
  fc.assert(
    fc.property(arbitraryEntries({ maxLength: 8 }), steps, (entries, list) => {
      const log = new TestLog(entries)
      const { tree } = log
      for (const [made, { do: what, pick }] of list.entries()) {
        const leaf = attachedLeaf(tree)
        if (what === 'end') endSome(log, pick.a)
        else if (what === 'edit' || what === 'undo' || what === 'redo') {
          const plan = attempt(() => {
            if (what === 'edit') return planEdit(tree, leaf, { operations: [toOp(tree, pick)] })
            return what === 'undo' ? planUndo(tree, leaf) : planRedo(tree, leaf)
          })
          if (plan !== undefined) commit(log, plan)
        } else {
          const places = [ROOT, ...entriesWith(tree, Flag.node)]
          appendSomewhere(log, what, pick.a, pick.choice === 0 ? places[pick.b % places.length] : undefined, made)
        }
        expect(tree.problems()).toEqual([])
      }
      const read = log.rebuilt()
      expect(describeTree(read.tree)).toEqual(describeTree(tree))
      expect(textOf(read.tree, read.tree.leaf)).toBe(textOf(tree, tree.leaf))
    }),
    { numRuns: runs(500) },
  )
})
