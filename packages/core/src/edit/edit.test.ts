import { describe, expect, test, vi } from 'vitest'
import type { Entry } from '../entry/entry.ts'
import { TreelineError } from '../errors.ts'
import { describeTree, TestLog } from '../testing/make-tree.ts'
import { listFragments } from '../tree/branches.ts'
import { Flag, ROOT } from '../tree/columns.ts'
import { attachedLeaf } from '../tree/leaf.ts'
import { nodePath } from '../tree/path.ts'
import { type AppendRequest, planAppend } from './append.ts'
import { mergedBranches, mergeText } from './merge.ts'
import { isNamedByPerson } from './naming.ts'
import type { EditRequestOp } from './op.ts'
import { type EditPlan, type EditRequest, planEdit } from './plan.ts'
import { planRedo, planUndo } from './undo.ts'

const TIME = '2026-01-01T00:00:00.000Z'

function message(id: string, parentId: string | null, role = 'user'): Entry {
  return { type: 'message', id, parentId, timestamp: TIME, message: { role, content: id } }
}

/** u1 → a1 → { u2 → a2, u3 → a3 }, the leaf at a3. */
function sample(): TestLog {
  return new TestLog([
    message('u1', null),
    message('a1', 'u1', 'assistant'),
    message('u2', 'a1'),
    message('a2', 'u2', 'assistant'),
    message('u3', 'a1'),
    message('a3', 'u3', 'assistant'),
  ])
}

function commit(log: TestLog, plan: EditPlan): EditPlan {
  if (plan.entry !== undefined) log.append(plan.entry)
  expect(log.tree.problems()).toEqual([])
  return plan
}

function edit(log: TestLog, operations: readonly EditRequestOp[], more: Partial<EditRequest> = {}): EditPlan {
  return commit(log, planEdit(log.tree, attachedLeaf(log.tree), { operations, ...more }))
}

function append(log: TestLog, request: AppendRequest): readonly Entry[] {
  const { lines } = planAppend(log.tree, request)
  log.append(...lines)
  expect(log.tree.problems()).toEqual([])
  return lines
}

function trunk(log: TestLog): string[] {
  return nodePath(log.tree, attachedLeaf(log.tree)).map((ref) => log.tree.ids.textOf(ref))
}

function refusal(act: () => unknown): { code: string; nodeIds: readonly string[] | undefined; opIndex?: number } {
  try {
    act()
  } catch (error) {
    if (error instanceof TreelineError) {
      const { nodeIds, opIndex } = error.details
      return { code: error.code, nodeIds, ...(opIndex !== undefined && { opIndex }) }
    }
    throw error
  }
  throw new Error('expected a refusal')
}

describe('what is refused', () => {
  const cases: [string, EditRequestOp, string, string[]][] = [
    ['an unknown node', { op: 'mute', nodeIds: ['zz'] }, 'node_not_found', ['zz']],
    ['pruning where nothing hangs', { op: 'prune', nodeId: 'a3' }, 'validation_failed', ['a3']],
    ['X44 grafting a node onto itself', { op: 'graft', sourceId: 'u2', targetId: 'u2' }, 'cycle', ['u2', 'u2']],
    ['restoring what is not deleted', { op: 'restore', nodeIds: ['u2'] }, 'validation_failed', ['u2']],
    ['an order that is not one', { op: 'reorder', parentId: 'a1', childrenIds: ['u2'] }, 'validation_failed', ['u2']],
    ['a label on nothing', { op: 'label', nodeId: 'zz', label: 'x' }, 'node_not_found', ['zz']],
    [
      'copying to an id in use',
      { op: 'graft', sourceId: 'a2', targetId: 'a3', mode: 'copy', idMap: { a2: 'u1' } },
      'id_in_use',
      ['u1'],
    ],
  ]
  test.each(cases)('%s', (_, op, code, nodeIds) => {
    const log = sample()
    const before = describeTree(log.tree)
    expect(refusal(() => edit(log, [op]))).toEqual({ code, nodeIds, opIndex: 0 })
    expect(describeTree(log.tree)).toEqual(before)
  })

  test('values of the wrong form, with the operation that has them', () => {
    const log = sample()
    const bad: unknown[] = [
      { op: 'meta', nodeId: 'u1', patch: { rating: 6 } },
      { op: 'config', patch: { approvalMode: 'always' } },
      { op: 'config', patch: { systemPrompt: 7 } },
      { op: 'session', patch: { colour: 'red' } },
      { op: 'mute', nodeIds: 'u1' },
      { op: 'mute', nodeIds: ['u1'], extra: 1 },
      { op: 'explode' },
      null,
    ]
    for (const op of bad) {
      const operations = [{ op: 'mute', nodeIds: ['u1'] }, op] as EditRequestOp[]
      expect(refusal(() => edit(log, operations))).toMatchObject({ code: 'validation_failed', opIndex: 1 })
    }
    expect(refusal(() => edit(log, []))).toMatchObject({ code: 'validation_failed' })
  })

  test('C2 an edit of nodes that changed after the version the caller saw', () => {
    const log = sample()
    const version = log.entries.length + 1
    edit(log, [{ op: 'mute', nodeIds: ['u2'] }])
    const stale = () => edit(log, [{ op: 'meta', nodeId: 'u2', patch: { pinned: true } }], { baseVersion: version })
    expect(refusal(stale)).toMatchObject({ code: 'stale_node', nodeIds: ['u2'] })
    edit(log, [{ op: 'meta', nodeId: 'u3', patch: { pinned: true } }], { baseVersion: version })
  })
})

describe('planning changes nothing', () => {
  test('not even for an edit that only says what was added', () => {
    const log = sample()
    const before = describeTree(log.tree)
    planEdit(log.tree, log.tree.leaf, { operations: [{ op: 'added', nodeIds: ['a3'] }] })
    expect(describeTree(log.tree)).toEqual(before)
    const data = {
      ops: [
        { op: 'added', nodeIds: ['a3'] },
        { op: 'mute', nodeIds: ['gone'] },
      ],
      inverse: [],
    }
    log.append({ type: 'custom', id: 'e', parentId: 'a3', timestamp: TIME, customType: 'treeline/edit', data })
    expect(describeTree(log.tree)).toEqual(before)
  })

  test('an undo of a copy that is looked at and not taken leaves mute, rating and place of the copy alone', () => {
    const log = sample()
    const { entry } = edit(log, [
      { op: 'graft', sourceId: 'u2', targetId: 'a3', mode: 'copy', idMap: { u2: 'c1', a2: 'c2' } },
    ])
    edit(log, [
      { op: 'mute', nodeIds: ['c1'] },
      { op: 'meta', nodeId: 'c2', patch: { rating: 5 } },
    ])
    edit(log, [{ op: 'graft', sourceId: 'a2', targetId: null }])
    const before = describeTree(log.tree)
    planUndo(log.tree, log.tree.leaf, { editId: entry!.id })
    expect(describeTree(log.tree)).toEqual(before)
    expect(
      append(log, { parentId: 'c2', draft: { type: 'message', message: { role: 'user', content: 'x' } } })[0],
    ).toMatchObject({ parentId: entry!.id })
  })

  test('whoever looks meanwhile sees it as it would be, and it is taken back also when that fails', () => {
    const log = sample()
    const before = describeTree(log.tree)
    const operations = [{ op: 'prune', nodeId: 'a1' }] as const
    let fragments: string[] = []
    const look = ({ leafId }: Omit<EditPlan, 'entry'>) => {
      fragments = listFragments(log.tree).map(({ fragmentId }) => fragmentId)
      throw new TreelineError('internal', `${leafId}`)
    }
    expect(() => planEdit(log.tree, log.tree.leaf, { operations }, undefined, look)).toThrow('a1')
    expect(fragments).toEqual(['u2', 'u3'])
    expect(describeTree(log.tree)).toEqual(before)
  })

  test('G1 a node with 150,000 children can be spliced out and put back', () => {
    const log = new TestLog([message('r', null)])
    for (let i = 0; i < 150_000; i++) {
      const head = { kind: 1, role: 1, timeMs: 0, offset: 0, length: 0, line: i + 3 } as const
      log.tree.heads.push({ ...head, id: `c${i}`, parentId: 'r' })
    }
    log.tree.sync()
    const plan = planEdit(log.tree, ROOT, { operations: [{ op: 'delete', nodeIds: ['r'], how: 'splice' }] })
    expect(plan.inverse).toMatchObject([{ op: 'restore', nodeIds: ['r'] }])
    expect(log.tree.columns.childCount(log.tree.ids.find('r'))).toBe(150_000)
  })
})

describe('ids that clients bring', () => {
  const operations: EditRequestOp[] = [{ op: 'mute', nodeIds: ['u1'] }]

  test('K3 must be safe and new', () => {
    const log = sample()
    const draft = { type: 'message', message: { role: 'user', content: 'x' } }
    expect(refusal(() => edit(log, operations, { id: 'u1' })).code).toBe('id_in_use')
    expect(refusal(() => edit(log, operations, { id: '../x' })).code).toBe('validation_failed')
    expect(refusal(() => append(log, { parentId: 'a3', draft: { ...draft, id: '../x' } })).code).toBe(
      'validation_failed',
    )
    expect(refusal(() => append(log, { parentId: 'a3', draft, leafAfter: 'zz' })).code).toBe('node_not_found')
  })
})

describe('one edit is one line', () => {
  test('D4 many operations make one entry that other tools ignore', () => {
    const log = sample()
    const { entry } = edit(log, [
      { op: 'mute', nodeIds: ['u1'] },
      { op: 'prune', nodeId: 'a1' },
      { op: 'name', name: 'N' },
    ])
    expect(entry).toMatchObject({ type: 'custom', customType: 'treeline/edit', parentId: 'a1' })
  })

  test('an edit that goes on from a copy it makes hangs under what the copy hangs under, and not under itself', () => {
    const log = sample()
    const idMap = { u2: 'c1', a2: 'c2' }
    const { entry } = edit(log, [
      { op: 'graft', sourceId: 'u2', targetId: 'a3', mode: 'copy', idMap },
      { op: 'leaf', leafId: 'c2' },
    ])
    expect(entry?.parentId).toBe('a3')
    expect(trunk(log).slice(-3)).toEqual(['a3', 'c1', 'c2'])
    append(log, { parentId: 'c2', draft: { type: 'message', id: 'u9', message: { role: 'user', content: 'on' } } })
    expect(trunk(log).slice(-2)).toEqual(['c2', 'u9'])
    expect(trunk(log.rebuilt())).toEqual(trunk(log))
  })

  test('a label alone is a label entry, a name alone a session_info, so that other tools see them', () => {
    const log = sample()
    expect(edit(log, [{ op: 'label', nodeId: 'u1', label: 'start' }]).entry).toMatchObject({
      type: 'label',
      targetId: 'u1',
      label: 'start',
      parentId: 'a3',
    })
    expect(edit(log, [{ op: 'name', name: 'Caches' }]).entry).toMatchObject({ type: 'session_info', name: 'Caches' })
    commit(log, planUndo(log.tree, log.tree.leaf))
    commit(log, planUndo(log.tree, log.tree.leaf))
    expect(log.tree.edits.labels.size).toBe(0)
    expect(log.tree.edits.name).toBeUndefined()
  })

  test('a made-up name replaces no name that a person gave, also after undo, redo and a fresh read', () => {
    const log = sample()
    const makeUp = (name: string) => edit(log, [{ op: 'name', name, ifAuto: true }], { auto: true }).entry?.name
    expect(makeUp('Made up')).toBe('Made up')
    expect(makeUp('Made up again')).toBe('Made up again')
    edit(log, [{ op: 'name', name: 'Mine' }])
    expect(makeUp('Better')).toBeUndefined()
    expect(isNamedByPerson(log.rebuilt().tree.edits)).toBe(true)
    commit(log, planUndo(log.tree, log.tree.leaf))
    expect([log.tree.edits.name, isNamedByPerson(log.rebuilt().tree.edits)]).toEqual(['Made up again', false])
    commit(log, planRedo(log.tree, log.tree.leaf))
    expect([makeUp('Better'), log.tree.edits.name]).toEqual([undefined, 'Mine'])
    edit(log, [{ op: 'name', name: null }])
    expect(makeUp('New')).toBe('New')
  })

  test('what changes nothing writes nothing', () => {
    const log = sample()
    expect(
      edit(log, [
        { op: 'unmute', nodeIds: ['u1'] },
        { op: 'leaf', leafId: 'a3' },
      ]).entry,
    ).toBeUndefined()
  })

  test('an edit read from a log that no longer fits is left out as a whole and reported', () => {
    const log = sample()
    const data = {
      ops: [
        { op: 'mute', nodeIds: ['u1'] },
        { op: 'mute', nodeIds: ['gone'] },
      ],
      inverse: [],
    }
    log.append({ type: 'custom', id: 'e', parentId: 'a3', timestamp: TIME, customType: 'treeline/edit', data })
    expect(log.tree.columns.has(log.tree.ids.find('u1'), Flag.muted)).toBe(false)
    expect(log.tree.problems()).toMatchObject([{ type: 'edit_failed', id: 'e', line: 8 }])
  })
})

describe('undo', () => {
  test('G2 undo and redo work on a log read afresh', () => {
    const log = sample()
    edit(log, [{ op: 'mute', nodeIds: ['u1', 'a1'] }])
    edit(log, [{ op: 'prune', nodeId: 'u3', include: 'self' }])
    const after = describeTree(log.tree)
    const reopened = log.rebuilt()
    commit(reopened, planUndo(reopened.tree, attachedLeaf(reopened.tree)))
    commit(reopened, planUndo(reopened.tree, attachedLeaf(reopened.tree)))
    expect(describeTree(reopened.tree)).toEqual(describeTree(sample().tree))
    expect(trunk(reopened)).toEqual(['u1', 'a1', 'u3', 'a3'])
    expect(refusal(() => planUndo(reopened.tree, ROOT)).code).toBe('nothing_to_undo')
    const again = reopened.rebuilt()
    commit(again, planRedo(again.tree, attachedLeaf(again.tree)))
    commit(again, planRedo(again.tree, attachedLeaf(again.tree)))
    expect(describeTree(again.tree)).toEqual(after)
    expect(refusal(() => planRedo(again.tree, ROOT)).code).toBe('nothing_to_undo')
  })

  test('C2 is refused where somebody has changed something since the version that was looked at', () => {
    const log = sample()
    edit(log, [{ op: 'mute', nodeIds: ['u1'] }])
    const looked = log.tree.heads.line[log.tree.heads.count - 1]!
    expect(refusal(() => planUndo(log.tree, log.tree.leaf, { baseVersion: looked - 1 })).code).toBe('stale_node')
    commit(log, planUndo(log.tree, log.tree.leaf, { baseVersion: looked }))
  })

  test('goes back step by step over edits of one and the same value, and forth again', () => {
    const log = sample()
    const rating = () => log.tree.edits.meta.get(log.tree.ids.find('u1'))?.get('rating')
    for (const value of [1, 2, 3]) edit(log, [{ op: 'meta', nodeId: 'u1', patch: { rating: value } }])
    const seen: unknown[] = []
    for (let i = 0; i < 3; i++) {
      commit(log, planUndo(log.tree, log.tree.leaf))
      seen.push(rating())
    }
    for (let i = 0; i < 3; i++) {
      commit(log, planRedo(log.tree, log.tree.leaf))
      seen.push(rating())
    }
    expect(seen).toEqual([2, 1, undefined, 1, 2, 3])
  })

  test('is refused when what it would change back has been changed again', () => {
    const log = sample()
    const first = edit(log, [{ op: 'meta', nodeId: 'u1', patch: { rating: 2 } }])
    edit(log, [{ op: 'meta', nodeId: 'u1', patch: { rating: 5 } }])
    const undo = () => planUndo(log.tree, log.tree.leaf, { editId: first.entry!.id })
    expect(refusal(undo)).toMatchObject({ code: 'stale_node', nodeIds: ['u1'] })
  })

  test('takes the latest edit of the one who asks, not of others', () => {
    const log = sample()
    edit(log, [{ op: 'mute', nodeIds: ['u1'] }], { by: 'ann' })
    edit(log, [{ op: 'mute', nodeIds: ['u2'] }], { by: 'ben' })
    commit(log, planUndo(log.tree, log.tree.leaf, { by: 'ann' }))
    expect(log.tree.columns.has(log.tree.ids.find('u1'), Flag.muted)).toBe(false)
    expect(log.tree.columns.has(log.tree.ids.find('u2'), Flag.muted)).toBe(true)
    expect(refusal(() => planUndo(log.tree, log.tree.leaf, { by: 'ann' })).code).toBe('nothing_to_undo')
  })

  test('of a prune keeps what was said since', () => {
    const log = sample()
    edit(log, [{ op: 'prune', nodeId: 'a1' }])
    append(log, { parentId: 'a1', draft: { type: 'message', id: 'u4', message: { role: 'user', content: 'new' } } })
    commit(log, planUndo(log.tree, log.tree.leaf))
    const { tree } = log
    expect(tree.columns.children(tree.ids.find('a1')).map((ref) => tree.ids.textOf(ref))).toEqual(['u2', 'u3', 'u4'])
    expect(trunk(log)).toEqual(['u1', 'a1', 'u4'])
  })

  test('and redo of a restore put the node where it was before the undo, whatever was said between', () => {
    const log = new TestLog([message('first', null), message('second', null)])
    edit(log, [{ op: 'delete', nodeIds: ['second'] }])
    edit(log, [{ op: 'delete', nodeIds: ['first'] }])
    edit(log, [{ op: 'restore', nodeIds: ['second'] }])
    commit(log, planUndo(log.tree, log.tree.leaf))
    append(log, { parentId: null, draft: { type: 'message', id: 'third', message: { role: 'user', content: 'new' } } })
    commit(log, planRedo(log.tree, log.tree.leaf))
    const roots = log.rebuilt().tree.columns.children(ROOT)
    expect(roots.map((ref) => log.tree.ids.textOf(ref))).toEqual(['second', 'third'])
  })

  test('of a trunk switch is refused once the conversation has gone on', () => {
    const log = sample()
    edit(log, [{ op: 'leaf', leafId: 'a2' }])
    append(log, { parentId: 'a2', draft: { type: 'message', id: 'u4', message: { role: 'user', content: 'new' } } })
    expect(refusal(() => planUndo(log.tree, log.tree.leaf)).code).toBe('stale_node')
  })

  test('of an unknown edit names it', () => {
    expect(refusal(() => planUndo(sample().tree, ROOT, { editId: 'zz' })).code).toBe('node_not_found')
  })
})

describe('the stash', () => {
  test('X41, X46 remembers where each fragment came from, and can be named', () => {
    const log = sample()
    edit(log, [
      { op: 'prune', nodeId: 'a1' },
      { op: 'meta', nodeId: 'u2', patch: { stashTitle: 'First try' } },
    ])
    expect(listFragments(log.tree)).toMatchObject([
      { fragmentId: 'u2', nodeCount: 2, leafCount: 1, fromParentId: 'a1', fromIndex: 0, title: 'First try' },
      { fragmentId: 'u3', nodeCount: 2, leafCount: 1, fromParentId: 'a1', fromIndex: 1 },
    ])
  })

  test('X42 a leaf that another writer kept in a pruned part falls back to where it was cut', () => {
    const log = sample()
    const kept = log.tree.ids.find('a2')
    edit(log, [{ op: 'prune', nodeId: 'u2', include: 'self' }])
    expect(log.tree.ids.textOf(attachedLeaf(log.tree, kept))).toBe('a1')
    edit(log, [{ op: 'delete', nodeIds: ['a1'] }])
    expect(log.tree.ids.textOf(attachedLeaf(log.tree, kept))).toBe('u1')
  })
})

describe('cost', () => {
  test('G1 where nothing is deleted, no operation of an edit walks up to the root', () => {
    const log = new TestLog(Array.from({ length: 1000 }, (_, i) => message(`e${i}`, i === 0 ? null : `e${i - 1}`)))
    const walk = vi.spyOn(log.tree.columns, 'topOf')
    const operations = Array.from({ length: 1000 }, (_, i) => {
      return { op: 'meta', nodeId: `e${(i * 37) % 1000}`, patch: { rating: 1 } } as const
    })
    edit(log, operations)
    edit(log, [{ op: 'mute', nodeIds: operations.map(({ nodeId }) => nodeId) }])
    expect(walk.mock.calls.length).toBeLessThan(10)
    edit(log, [{ op: 'delete', nodeIds: ['e500'] }])
    expect(refusal(() => edit(log, [{ op: 'meta', nodeId: 'e900', patch: { rating: 2 } }]))).toMatchObject({
      code: 'node_not_found',
      nodeIds: ['e900'],
    })
    edit(log, [{ op: 'restore', nodeIds: ['e500'] }])
    edit(log, [{ op: 'meta', nodeId: 'e900', patch: { rating: 2 } }])
  })
})

describe('generating nodes', () => {
  function generating(): TestLog {
    const log = sample()
    const data = { nodeId: 'a4', parentId: 'a3', model: 'm' }
    log.append({ type: 'custom', id: 'g', parentId: 'a3', timestamp: TIME, customType: 'treeline/generation', data })
    return log
  }

  test('X42 pruning goes on around them, or cancels, or refuses', () => {
    const log = generating()
    const plan = (onGenerating: 'continue' | 'cancel' | 'reject') =>
      planEdit(log.tree, log.tree.leaf, { operations: [{ op: 'prune', nodeId: 'u3', include: 'self', onGenerating }] })
    expect(plan('continue')).toMatchObject({
      cancelIds: [],
      warnings: [{ code: 'active_leaf_moved' }, { code: 'generating_in_fragment', nodeIds: ['a4'] }],
    })
    expect(plan('cancel').cancelIds).toEqual(['a4'])
    expect(refusal(() => plan('reject'))).toMatchObject({ code: 'subtree_generating', nodeIds: ['a4'] })
  })

  test('D3 an edit cannot have the id of one: its line would be taken for the answer’s, and be lost', () => {
    const mute = [{ op: 'mute', nodeIds: ['u1'] }] as const
    expect(refusal(() => edit(generating(), mute, { id: 'a4' })).code).toBe('id_in_use')
  })

  test('nothing can be appended under one', () => {
    const draft = { type: 'message', message: { role: 'user', content: 'x' } }
    expect(refusal(() => append(generating(), { parentId: 'a4', draft })).code).toBe('parent_generating')
  })

  test('T7 the answer arrives in its place even when the part was moved meanwhile', () => {
    const log = generating()
    edit(log, [{ op: 'graft', sourceId: 'u3', targetId: 'a2' }])
    log.append(message('a4', 'a3', 'assistant'))
    expect(trunk(log)).toEqual(['u1', 'a1', 'u2', 'a2', 'u3', 'a3', 'a4'])
  })
})

describe('appending', () => {
  const draft = { type: 'message', message: { role: 'user', content: 'x' } }

  test('X27 the parent is explicit, and null is a new root', () => {
    const log = sample()
    expect(append(log, { parentId: null, draft })).toMatchObject([{ parentId: null }])
    expect(log.tree.columns.childCount(ROOT)).toBe(2)
  })

  test('what must not move the leaf is followed by a step back', () => {
    const log = sample()
    expect(append(log, { parentId: 'a2', draft, leafAfter: 'a3' })).toHaveLength(2)
    expect(trunk(log)).toEqual(['u1', 'a1', 'u3', 'a3'])
    expect(refusal(() => planUndo(log.tree, log.tree.leaf)).code).toBe('nothing_to_undo')
  })

  test('a copy can be gone on from, wherever the leaf is', () => {
    const log = sample()
    edit(log, [{ op: 'graft', sourceId: 'u2', targetId: 'a3', mode: 'copy', idMap: { u2: 'c1', a2: 'c2' } }])
    append(log, { parentId: 'c2', draft: { ...draft, id: 'u9' } })
    expect(trunk(log)).toEqual(['u1', 'a1', 'u3', 'a3', 'c1', 'c2', 'u9'])
    expect(log.tree.ids.textOf(log.tree.edits.copies.get(log.tree.ids.find('c1'))!.body)).toBe('u2')
    const again = log.rebuilt()
    expect(trunk(again)).toEqual(trunk(log))
  })

  test('Leaf: whoever goes to a label, an edit or an announcement is where every reader of the log is', () => {
    const log = sample()
    const label = edit(log, [
      { op: 'label', nodeId: 'a2', label: 'x' },
      { op: 'leaf', leafId: 'a2' },
    ]).entry!.id
    const running = { type: 'custom', customType: 'treeline/generation', data: { nodeId: 'g2', model: 'm' } }
    append(log, { parentId: 'u3', draft: { id: 'g1', ...running } })
    for (const [id, seat] of [
      [label, 'a2'],
      ['g1', 'g2'],
    ] as const) {
      edit(log, [{ op: 'leaf', leafId: 'u1' }])
      expect(edit(log, [{ op: 'leaf', leafId: id }])).toMatchObject({ leafId: seat, leafMoved: true })
      const textOf = (ref: number) => log.tree.ids.textOf(ref)
      expect([textOf(log.tree.leaf), textOf(log.rebuilt().tree.leaf)]).toEqual([seat, seat])
      expect(edit(log, [{ op: 'leaf', leafId: id }]).entry).toBeUndefined()
      commit(log, planUndo(log.tree, log.tree.leaf))
      expect(textOf(log.tree.leaf)).toBe('u1')
    }
  })

  test('Leaf: a log in which an edit says that the leaf is at a label ends at the node above it', () => {
    const log = sample()
    const { id } = edit(log, [{ op: 'label', nodeId: 'u1', label: 'x' }]).entry!
    const data = { ops: [{ op: 'leaf', leafId: id }], inverse: [{ op: 'leaf', leafId: 'u1', expect: id }] }
    log.append({ type: 'custom', id: 'e1', parentId: id, timestamp: TIME, customType: 'treeline/edit', data })
    expect(log.tree.ids.textOf(log.tree.leaf)).toBe('a3')
    commit(log, planUndo(log.tree, log.tree.leaf, { editId: 'e1' }))
    expect(log.tree.ids.textOf(log.tree.leaf)).toBe('u1')
  })

  test('a label on an entry whose id holds half a character is found by the id the tree knows', () => {
    const log = new TestLog([message('\ud800', null)])
    log.append({ type: 'label', id: 'l', parentId: '\ud800', timestamp: TIME, targetId: '\ud800', label: 'x' })
    const id = log.tree.ids.textOf(log.tree.ids.find('\ud800'))
    expect(log.tree.edits.labels.get(id)?.label).toBe('x')
    edit(log, [{ op: 'label', nodeId: id, label: 'y' }])
    expect([...log.tree.edits.labels.values()].map(({ label }) => label)).toEqual(['y'])
    commit(log, planUndo(log.tree, log.tree.leaf))
    expect(log.tree.edits.labels.get(id)?.label).toBe('x')
  })

  test('with the leaf on a copy, labels and messages of any tool stay there', () => {
    const log = sample()
    edit(log, [{ op: 'graft', sourceId: 'a2', targetId: 'a3', mode: 'copy', idMap: { a2: 'c2' } }])
    edit(log, [{ op: 'leaf', leafId: 'c2' }])
    edit(log, [{ op: 'label', nodeId: 'u1', label: 'x' }])
    expect(trunk(log)).toEqual(['u1', 'a1', 'u3', 'a3', 'c2'])
    const last = log.entries.at(-1)!
    log.append(message('pi', last.id))
    expect(trunk(log)).toEqual(['u1', 'a1', 'u3', 'a3', 'c2', 'pi'])
  })

  test('a taken id, an unknown or a deleted parent are refused', () => {
    const log = sample()
    expect(refusal(() => append(log, { parentId: 'a3', draft: { ...draft, id: 'u1' } })).code).toBe('id_in_use')
    expect(refusal(() => append(log, { parentId: 'zz', draft })).code).toBe('node_not_found')
    edit(log, [{ op: 'delete', nodeIds: ['u2'] }])
    expect(refusal(() => append(log, { parentId: 'a2', draft })).code).toBe('node_not_found')
  })
})

describe('merge', () => {
  test('T41 tells branches one after the other, each from where they part', () => {
    const log = sample()
    const text = mergeText(
      mergedBranches(log.tree, ['a2', 'a3']).map((refs, i) => ({
        title: `Branch ${i + 1}`,
        messages: refs.map((ref) => ({ role: 'x', text: log.tree.ids.textOf(ref) })),
      })),
      'concat',
    )
    expect(text).toBe('## Branch 1\n\nx: u2\n\nx: a2\n\n## Branch 2\n\nx: u3\n\nx: a3')
    edit(log, [{ op: 'delete', nodeIds: ['a2'] }])
    for (const id of ['zz', 'a2']) {
      expect(refusal(() => mergedBranches(log.tree, ['a3', id]))).toEqual({ code: 'node_not_found', nodeIds: [id] })
    }
  })

  test('turn by turn', () => {
    const branch = (title: string, ...texts: string[]) => ({
      title,
      messages: texts.map((text) => ({ role: 'u', text })),
    })
    expect(mergeText([branch('A', '1', '2'), branch('B', '3')], 'interleave')).toBe('A, u: 1\n\nB, u: 3\n\nA, u: 2')
  })
})
