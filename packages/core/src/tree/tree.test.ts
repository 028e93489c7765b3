import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scanLog } from '../codec/scan.ts'
import type { Entry } from '../entry/entry.ts'
import { Kind, Role } from '../entry/kind.ts'
import { arbitraryEntries } from '../testing/arbitrary-log.ts'
import { describeTree, TestLog } from '../testing/make-tree.ts'
import { runs } from '../testing/runs.ts'
import { listBranches } from './branches.ts'
import { Flag, ROOT } from './columns.ts'
import { attachedLeaf, descend } from './leaf.ts'
import { commonAncestor, linePath, nodePath, storedPath } from './path.ts'
import { Tree } from './tree.ts'

const TIME = '2026-01-01T00:00:00.000Z'

function message(id: string, parentId: string | null, role = 'user'): Entry {
  return { type: 'message', id, parentId, timestamp: TIME, message: { role, content: id } }
}

function entry(type: string, id: string, parentId: string | null, fields: object = {}): Entry {
  return { type, id, parentId, timestamp: TIME, ...fields }
}

function texts(tree: Tree, refs: readonly number[]): string[] {
  return refs.map((ref) => tree.ids.textOf(ref))
}

const branched = () =>
  new TestLog([message('1', null), message('2', '1'), message('3', '2'), message('4', '2'), message('5', '4')])

describe('paths and branches', () => {
  test('P12 the path of a branch is its chain of parents, root first', () => {
    const { tree } = branched()
    expect(texts(tree, nodePath(tree, tree.ids.find('3')))).toEqual(['1', '2', '3'])
    expect(texts(tree, nodePath(tree, tree.ids.find('5')))).toEqual(['1', '2', '4', '5'])
  })

  test('P13, P21 every node without children ends a branch', () => {
    const { tree } = branched()
    expect(listBranches(tree)).toMatchObject([
      { leafId: '3', length: 3, isTrunk: false },
      { leafId: '5', length: 4, isTrunk: true },
    ])
  })

  test('M15 the common ancestor of two branches is the deepest node above both', () => {
    const { tree } = branched()
    const ref = (id: string) => tree.ids.find(id)
    expect(commonAncestor(tree, ref('3'), ref('5'))).toBe(ref('2'))
    expect(commonAncestor(tree, ref('2'), ref('5'))).toBe(ref('2'))
    expect(commonAncestor(tree, ref('5'), ref('5'))).toBe(ref('5'))
  })

  test('two conversations in one session share no ancestor', () => {
    const { tree } = new TestLog([message('1', null), message('2', null)])
    expect(commonAncestor(tree, tree.ids.find('1'), tree.ids.find('2'))).toBe(ROOT)
  })

  test('descending follows the child where something was added last', () => {
    const log = branched()
    log.append(message('6', '3'))
    expect(log.tree.ids.textOf(descend(log.tree, log.tree.ids.find('1')))).toBe('6')
  })
})

describe('the leaf law', () => {
  const leafOf = (log: TestLog) => (log.tree.leaf === ROOT ? null : log.tree.ids.textOf(log.tree.leaf))

  test('S22 the log ends at its last line', () => {
    expect(leafOf(branched())).toBe('5')
    expect(leafOf(new TestLog())).toBeNull()
  })

  test('S19 labels, names and edits leave the leaf where it is', () => {
    const log = branched()
    log.append(entry('label', 'l', '5', { targetId: '1', label: 'x' }))
    log.append(entry('session_info', 'n', 'l', { name: 'Name' }))
    expect(leafOf(log)).toBe('5')
  })

  test('a model change becomes the leaf, and a label under it does not lose it', () => {
    const log = branched()
    log.append(entry('model_change', 'm', '5', { provider: 'p', modelId: 'x' }))
    log.append(entry('label', 'l', 'm', { targetId: '1', label: 'x' }))
    expect(leafOf(log)).toBe('m')
    expect(log.tree.ids.textOf(log.tree.columns.ownerOf(log.tree.leaf))).toBe('5')
  })

  test('an edit under no node leaves the session at its start', () => {
    const log = branched()
    const data = { ops: [{ op: 'leaf', leafId: null }], inverse: [] }
    log.append(entry('custom', 'e', null, { customType: 'treeline/edit', data }))
    expect(leafOf(log)).toBeNull()
  })

  test('a message another tool hangs under a label or an edit belongs to the node above', () => {
    const log = branched()
    log.append(entry('label', 'l', '4', { targetId: '1', label: 'x' }), message('7', 'l'))
    const { tree } = log
    expect(texts(tree, tree.columns.children(tree.ids.find('4')))).toEqual(['5', '7'])
  })

  test('a running generation is the leaf until its answer takes its place', () => {
    const log = branched()
    const data = { nodeId: 'a', parentId: '5', model: 'm' }
    log.append(entry('custom', 'g', '5', { customType: 'treeline/generation', data }))
    expect(leafOf(log)).toBe('a')
    expect(log.tree.columns.has(log.tree.leaf, Flag.generating)).toBe(true)
    log.append(message('a', '5', 'assistant'))
    expect(leafOf(log)).toBe('a')
    expect(log.tree.columns.has(log.tree.leaf, Flag.generating)).toBe(false)
    expect(log.tree.problems()).toEqual([])
  })
})

describe('labels and names', () => {
  test('S13 the last label of an entry counts, an absent one clears it', () => {
    const log = branched()
    log.append(entry('label', 'l1', '5', { targetId: '1', label: 'first' }))
    log.append(entry('label', 'l2', '5', { targetId: '1', label: 'second' }))
    log.append(entry('label', 'l3', '5', { targetId: '2', label: 'other' }))
    log.append(entry('label', 'l4', '5', { targetId: '2' }))
    expect([...log.tree.edits.labels].map(([id, { label }]) => [id, label])).toEqual([['1', 'second']])
  })

  test('the last name counts, trimmed', () => {
    const log = branched()
    log.append(entry('session_info', 'n1', '5', { name: 'Old' }), entry('title_change', 'n2', '5', { title: ' New ' }))
    expect(log.tree.edits.name).toBe('New')
  })
})

describe('G1 readers survive anything and say what they met', () => {
  test('parents that come late, each under the end of a long path, take no longer than others', () => {
    const count = 40_000
    const children = Array.from({ length: count }, (_, i) => message(`c${i}`, `p${i}`))
    const path = Array.from({ length: count }, (_, i) => message(`e${i}`, i === 0 ? null : `e${i - 1}`))
    const parents = Array.from({ length: count }, (_, i) => message(`p${i}`, `e${count - 1}`))
    const lines = [...children, ...path, ...parents].map((line) => JSON.stringify(line)).join('\n')
    const { heads } = scanLog(Buffer.from(`${lines}\n`), { expectsHeader: false })
    const startedAt = performance.now()
    const tree = new Tree(heads)
    // By a look at the whole path for each of them it is many times that, and grows with the square.
    expect(performance.now() - startedAt).toBeLessThan(3000)
    expect(nodePath(tree, tree.ids.find('c7')).length).toBe(count + 2)
  })

  test('a parent that points at itself makes a root', () => {
    const { tree } = new TestLog([message('1', '1'), message('2', '1')])
    expect(texts(tree, nodePath(tree, tree.leaf))).toEqual(['1', '2'])
    expect(tree.problems()).toEqual([{ type: 'self_parent', id: '1', line: 2 }])
  })

  test('X24 a ring of parents is cut at its first line', () => {
    const { tree } = new TestLog([message('1', '3'), message('2', '1'), message('3', '2'), message('4', '3')])
    expect(texts(tree, nodePath(tree, tree.leaf))).toEqual(['1', '2', '3', '4'])
    expect(tree.problems()).toEqual([{ type: 'cycle', id: '1', line: 2, length: 3 }])
    expect(texts(tree, [...storedPath(tree, tree.leaf).refs])).toEqual(['1', '2', '3', '4'])
  })

  test('X25 an entry whose parent is missing is a root and is reported', () => {
    const { tree } = new TestLog([message('1', null), message('2', 'gone'), message('3', '2')])
    expect(texts(tree, tree.columns.children(ROOT))).toEqual(['1', '2'])
    expect(tree.problems()).toEqual([{ type: 'orphan', id: '2', parentId: 'gone', line: 3 }])
  })

  test('children may come before their parents', () => {
    const { tree } = new TestLog([message('3', '2'), message('2', '1'), message('1', null)])
    expect(texts(tree, nodePath(tree, tree.ids.find('3')))).toEqual(['1', '2', '3'])
    expect(tree.problems()).toEqual([])
  })

  test('X20 of two lines with one id the last counts, and both are named', () => {
    const { tree } = new TestLog([message('1', null), message('2', '1'), message('2', null, 'assistant')])
    expect(tree.columns.role[tree.ids.find('2')]).toBe(Role.assistant)
    expect(texts(tree, tree.columns.children(ROOT))).toEqual(['1', '2'])
    expect(tree.problems()).toEqual([{ type: 'duplicate_id', id: '2', lines: [3, 4] }])
  })

  test('X20 a line with the id of a copy is passed over, whether the tree grew or was read at once', () => {
    const ops = [{ op: 'graft', sourceId: 'b', targetId: null, mode: 'copy', idMap: { b: 'k' } }]
    const inverse = [{ op: 'uncopy', nodeId: 'k' }]
    const copy = entry('custom', 'e', 'a', { customType: 'treeline/edit', data: { ops, inverse } })
    const entries = [message('b', 'a'), message('a', null), copy, message('k', 'b'), message('c', 'k')]
    const grown = new TestLog(entries.slice(0, 2))
    for (const one of entries.slice(2)) grown.append(one)
    const { tree } = new TestLog(entries)
    expect(describeTree(tree)).toEqual(describeTree(grown.tree))
    expect(tree.problems()).toEqual(grown.tree.problems())
    expect(tree.problems()).toMatchObject([{ type: 'duplicate_id', id: 'k' }])
    expect(tree.columns.rawParent[tree.ids.find('k')]).toBe(grown.tree.columns.rawParent[grown.tree.ids.find('k')])
  })

  test('an entry says whether its line names another parent than it was read with', () => {
    const generation = entry('custom', 'g', '1', { customType: 'treeline/generation', data: { nodeId: 'n' } })
    const log = new TestLog([message('1', '1'), generation, message('n', 'g', 'assistant'), message('2', 'n')])
    const cut = (tree: Tree) => ['1', 'g', 'n', '2'].filter((id) => tree.isCut(tree.ids.find(id)))
    expect(cut(log.tree)).toEqual(['1', 'n'])
    log.append(message('1', null))
    expect(cut(log.tree)).toEqual(['n'])
    const ring = new TestLog([message('1', '2'), message('2', '1'), message('n', '2')])
    expect(cut(ring.tree)).toEqual(['1'])
  })

  test('a million entries in one chain', () => {
    const tree = chain(1_000_000, (i) => i - 1)
    expect(nodePath(tree, tree.leaf)).toHaveLength(1_000_000)
    expect(linePath(tree, tree.leaf)).toHaveLength(1_000_000)
    expect(listBranches(tree)).toMatchObject([{ length: 1_000_000 }])
    expect(descend(tree, 1)).toBe(tree.leaf)
  })

  test('200,000 answers to one prompt', () => {
    const tree = chain(200_001, (i) => (i === 0 ? -1 : 0))
    expect(tree.columns.childCount(1)).toBe(200_000)
    expect(listBranches(tree)).toHaveLength(200_000)
  })

  test('a chain of 200,000 written backwards', () => {
    const tree = chain(200_000, (i) => i + 1)
    expect(nodePath(tree, 1)).toHaveLength(200_000)
  })

  test('100,000 labels in a row do not make the leaf slow to find', () => {
    const tree = new Tree()
    for (let i = 0; i < 100_000; i++) push(tree, i, i - 1, i === 0 ? Kind.message : Kind.usage)
    tree.sync()
    expect(tree.leaf).toBe(1)
  })
})

/** A tree of `count` entries whose parents are given by number; -1 or out of range is a root. */
function chain(count: number, parentOf: (i: number) => number): Tree {
  const tree = new Tree()
  for (let i = 0; i < count; i++) {
    const parent = parentOf(i)
    push(tree, i, parent < count ? parent : -1, Kind.message)
  }
  tree.sync()
  return tree
}

function push(tree: Tree, i: number, parent: number, kind: Kind): void {
  const parentId = parent < 0 ? null : `n${parent}`
  tree.heads.push({ kind, role: Role.user, id: `n${i}`, parentId, timeMs: 0, offset: 0, length: 0, line: i + 2 })
}

describe('building', () => {
  test('incremental and batch building agree on any log', () => {
    fc.assert(
      fc.property(arbitraryEntries({ wild: true, maxLength: 40 }), (entries) => {
        const grown = new TestLog(entries)
        const batch = grown.rebuilt()
        expect(describeTree(batch.tree)).toEqual(describeTree(grown.tree))
        expect(batch.tree.ids.textOf(batch.tree.leaf)).toBe(grown.tree.ids.textOf(grown.tree.leaf))
        expect(batch.tree.problems()).toEqual(grown.tree.problems())
      }),
      { numRuns: runs(500) },
    )
  })

  test('V1–V6 every node hangs in exactly one place and the leaf is attached, on any log', () => {
    fc.assert(
      fc.property(arbitraryEntries({ wild: true, maxLength: 40 }), (entries) => {
        const { tree } = new TestLog(entries)
        const { columns } = tree
        const seen = new Set<number>()
        for (const ref of columns.subtree(ROOT)) {
          expect(seen.has(ref)).toBe(false)
          seen.add(ref)
          const children = columns.children(ref)
          expect(children).toHaveLength(columns.childCount(ref))
          for (const child of children) expect(columns.parent[child]).toBe(ref)
        }
        for (let ref = 1; ref < tree.ids.count; ref++) expect(seen.has(ref)).toBe(columns.has(ref, Flag.node))
        expect(columns.isAttached(columns.ownerOf(attachedLeaf(tree)))).toBe(true)
      }),
      { numRuns: runs(500) },
    )
  })
})
