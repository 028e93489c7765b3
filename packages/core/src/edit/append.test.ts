import { describe, expect, test } from 'vitest'
import type { Entry } from '../entry/entry.ts'
import { TreelineError } from '../errors.ts'
import { TestLog } from '../testing/make-tree.ts'
import { attachedLeaf } from '../tree/leaf.ts'
import { linePath, nodePath } from '../tree/path.ts'
import { type AppendRequest, planAppend } from './append.ts'
import type { EditRequestOp } from './op.ts'
import { planEdit } from './plan.ts'
import { planRedo, planUndo } from './undo.ts'

const TIME = '2026-01-01T00:00:00.000Z'
const draft = { type: 'message', message: { role: 'user', content: 'x' } }
const model = { type: 'model_change', provider: 'p', modelId: 'm' }

function message(id: string, parentId: string | null): Entry {
  return { type: 'message', id, parentId, timestamp: TIME, message: { role: 'user', content: id } }
}

function generation(nodeId: string): { type: string; id: string; customType: string; data: unknown } {
  return { type: 'custom', id: `g-${nodeId}`, customType: 'treeline/generation', data: { nodeId, model: 'm' } }
}

function edit(log: TestLog, ...operations: readonly EditRequestOp[]): void {
  const { entry } = planEdit(log.tree, attachedLeaf(log.tree), { operations })
  if (entry !== undefined) log.append(entry)
  expect(log.tree.problems()).toEqual([])
}

function append(log: TestLog, request: AppendRequest): readonly Entry[] {
  const { lines } = planAppend(log.tree, request)
  log.append(...lines)
  expect(log.tree.problems()).toEqual([])
  return lines
}

/** As it grew, and as it is read afresh. */
function trunk(log: TestLog, leafId?: string): string[] {
  const [grown, read] = [log, log.rebuilt()].map(({ tree }) => {
    const leaf = leafId === undefined ? attachedLeaf(tree) : tree.ids.find(leafId)
    return nodePath(tree, leaf).map((ref) => tree.ids.textOf(ref))
  })
  expect(read).toEqual(grown)
  return grown!
}

function linedUp(log: TestLog): string[] {
  return Array.from(linePath(log.tree, attachedLeaf(log.tree)).refs, (ref) => log.tree.ids.textOf(ref))
}

function codeOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof TreelineError) return error.code
    throw error
  }
  return 'done'
}

describe('appending under a copy', () => {
  /** a ← b, b copied as c to the top level while the leaf is at b. */
  function copied(): TestLog {
    const log = new TestLog([message('a', null), message('b', 'a')])
    edit(log, { op: 'graft', sourceId: 'b', targetId: null, mode: 'copy', idMap: { b: 'c' } })
    return log
  }

  test('D1 the entry is there when what the copying edit hangs under is deleted', () => {
    const log = new TestLog([message('n0', null)])
    edit(log, { op: 'graft', sourceId: 'n0', targetId: 'n0', mode: 'copy', idMap: { n0: 'n1' } })
    edit(log, { op: 'delete', nodeIds: ['n0'], how: 'splice' })
    append(log, { parentId: 'n1', draft: { ...draft, id: 'n3' } })
    expect(trunk(log)).toEqual(['n1', 'n3'])
  })

  test('a model change belongs to the copy, and so does what follows it', () => {
    const log = copied()
    append(log, { parentId: 'c', draft: { ...model, id: 'm' } })
    expect(trunk(log)).toEqual(['c'])
    expect(linedUp(log)).toEqual(['c', 'm'])
    append(log, { parentId: 'm', draft: { ...draft, id: 'd' } })
    expect(trunk(log)).toEqual(['c', 'd'])
    expect(linedUp(log)).toEqual(['c', 'm', 'd'])
  })

  test('T7 an answer that is announced under a copy is written there', () => {
    const log = copied()
    append(log, { parentId: 'c', draft: generation('n') })
    expect(trunk(log)).toEqual(['c', 'n'])
    append(log, { parentId: 'c', draft: { ...draft, id: 'n' } })
    expect(trunk(log)).toEqual(['c', 'n'])
  })

  test('the model chosen where the copying edit was written does not count there', () => {
    const log = new TestLog([message('a', null), message('b', 'a')])
    append(log, { parentId: 'b', draft: { ...model, id: 'elsewhere' } })
    edit(log, { op: 'graft', sourceId: 'a', targetId: null, mode: 'copy', idMap: { a: 'c', b: 'd' } })
    append(log, { parentId: 'd', draft: { ...draft, id: 'e' } })
    expect(linedUp(log)).toEqual(['c', 'd', 'e'])
    // Also for what other tools hang under an edit that went there.
    edit(log, { op: 'leaf', leafId: 'elsewhere' }, { op: 'leaf', leafId: 'c' })
    log.append(message('pi', log.entries.at(-1)!.id))
    expect(linedUp(log)).toEqual(['c', 'pi'])
  })

  test('one line more for the first entry, none for the next', () => {
    const log = copied()
    expect(append(log, { parentId: 'c', draft })).toHaveLength(2)
    expect(append(log, { parentId: 'c', draft })).toHaveLength(1)
    expect(codeOf(() => planUndo(log.tree, log.tree.leaf))).toBe('stale_node')
  })

  test('what other tools hang where a copy was taken away is shown where it had been', () => {
    const log = copied()
    edit(log, { op: 'graft', sourceId: 'b', targetId: 'c', mode: 'copy', idMap: { b: 'k' } })
    append(log, { parentId: 'k', draft: { ...model, id: 'm' } })
    const kept = log.tree.ids.find('m')
    log.append(planUndo(log.tree, attachedLeaf(log.tree)).entry!)
    log.append(message('pi', 'm'))
    expect(trunk(log)).toEqual(['c', 'pi'])
    expect(log.tree.ids.textOf(attachedLeaf(log.tree, kept))).toBe('m')
    log.append(planRedo(log.tree, attachedLeaf(log.tree)).entry!)
    expect(trunk(log, 'm')).toEqual(['c', 'k'])
    expect(trunk(log, 'pi')).toEqual(['c', 'pi'])
  })
})

describe('appending beside a running answer', () => {
  function answering(): TestLog {
    const log = new TestLog([message('a', null)])
    append(log, { parentId: 'a', draft: generation('n1') })
    append(log, { parentId: 'a', draft: generation('n2'), leafAfter: 'n1' })
    return log
  }

  test('T7 of two answers the one that ends first leaves the leaf at the one that is still written', () => {
    const log = answering()
    expect(trunk(log)).toEqual(['a', 'n1'])
    append(log, { parentId: 'a', draft: { ...draft, id: 'n2' }, leafAfter: 'n1' })
    expect(trunk(log)).toEqual(['a', 'n1'])
    expect(trunk(log, 'n2')).toEqual(['a', 'n2'])
  })

  test('T7 an answer ends where it was announced, whatever has become of that', () => {
    const log = answering()
    edit(log, { op: 'delete', nodeIds: ['a'], how: 'splice' })
    expect(append(log, { parentId: 'a', draft: { ...draft, id: 'n2' } })).toMatchObject([{ parentId: 'a' }])
    expect(trunk(log)).toEqual(['n2'])
    expect(append(log, { parentId: 'n1', draft: { ...draft, id: 'n1' } })).toMatchObject([{ parentId: 'a' }])
    expect(trunk(log)).toEqual(['n1'])
  })

  test('nothing else can hang under it, nor under what announced it', () => {
    const log = answering()
    expect(codeOf(() => planAppend(log.tree, { parentId: 'n1', draft }))).toBe('parent_generating')
    expect(codeOf(() => planAppend(log.tree, { parentId: 'g-n1', draft }))).toBe('parent_generating')
  })

  test('D1 only a message can have its id: anything else would be passed over', () => {
    const log = answering()
    expect(codeOf(() => planAppend(log.tree, { parentId: 'a', draft: { ...model, id: 'n1' } }))).toBe('id_in_use')
  })

  test('the leaf does not go to what is deleted or not there', () => {
    const log = answering()
    edit(log, { op: 'delete', nodeIds: ['n2'], onGenerating: 'cancel' })
    expect(codeOf(() => planAppend(log.tree, { parentId: 'a', draft, leafAfter: 'n2' }))).toBe('node_not_found')
    expect(codeOf(() => planAppend(log.tree, { parentId: 'a', draft, leafAfter: 'zz' }))).toBe('node_not_found')
  })
})
