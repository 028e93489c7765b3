import { describe, expect, test } from 'vitest'
import type { Heads } from '../codec/heads.ts'
import { HeadScanner, scanLog } from '../codec/scan.ts'
import { planRedo, planUndo } from '../edit/undo.ts'
import { Flag, ROOT } from './columns.ts'
import { nodePath } from './path.ts'
import { restoreTree, saveTree, type TreeSnapshot } from './snapshot.ts'
import { Tree } from './tree.ts'

const encoder = new TextEncoder()
const options = { sessionId: 's', version: 3 }

function message(id: string, parentId: string | null): string {
  const head = { type: 'message', id, parentId, timestamp: '2026-01-01T00:00:00.000Z' }
  return JSON.stringify({ ...head, message: { role: 'user', content: id } })
}

function edit(id: string, parentId: string, ops: unknown): string {
  const head = { type: 'custom', id, parentId, timestamp: '2026-01-01T00:00:00.000Z', customType: 'treeline/edit' }
  return JSON.stringify({ ...head, data: { ops } })
}

function scanLines(...lines: string[]): Heads {
  return scanLog(encoder.encode(`${lines.join('\n')}\n`), { expectsHeader: false }).heads
}

function treeOf(...lines: string[]): Tree {
  return new Tree(scanLines(...lines), options)
}

function restore({ meta, sections }: TreeSnapshot, as = options): Tree {
  const bytes = new Map(sections.map((section) => [section.name, section.bytes]))
  return restoreTree(
    JSON.parse(JSON.stringify(meta)),
    (name, into, at = 0) => into.set(bytes.get(name)!.subarray(at, at + into.length)),
    as,
  )
}

function goOn(tree: Tree, ...lines: string[]): void {
  const scanner = new HeadScanner({ heads: tree.heads, startOffset: 9999, startLine: 99 })
  scanner.push(encoder.encode(`${lines.join('\n')}\n`))
  scanner.end()
  tree.sync()
}

const roots = (tree: Tree) => tree.columns.children(ROOT).map((ref) => tree.ids.textOf(ref))
const refused = expect.objectContaining({ code: 'damaged' })

describe('a tree from saved columns', () => {
  test('is small: 31 bytes per entry when nothing is out of the ordinary', () => {
    const lines = Array.from({ length: 10_000 }, (_, i) =>
      message(String(10_000_000 + i), i === 0 ? null : String(10_000_000 + i - 1)),
    )
    const { meta, sections } = saveTree(treeOf(...lines))
    const total = sections.reduce((sum, { bytes }) => sum + bytes.length, 0)
    expect(total / lines.length).toBeLessThan(31.2)
    expect(JSON.stringify(meta).length).toBeLessThan(1000)
  })

  test('an empty one can be saved too', () => {
    const tree = restore(saveTree(new Tree(undefined, options)))
    expect([tree.rowCount, tree.leaf, tree.needsRescan]).toEqual([0, ROOT, false])
    goOn(tree, message('a', null))
    expect(roots(tree)).toEqual(['a'])
  })

  test('takes new lines, also under entries it has only from the columns', () => {
    const tree = restore(saveTree(treeOf(message('aaaaaaaa', null), message('b', 'aaaaaaaa'))))
    goOn(tree, message('c', 'b'), message('d', 'aaaaaaaa'), message('aaaaaaaa', null))
    const children = tree.columns.children(tree.ids.find('aaaaaaaa')).map((ref) => tree.ids.textOf(ref))
    expect(children).toEqual(['b', 'd'])
    expect(tree.problems()).toEqual([{ type: 'duplicate_id', id: 'aaaaaaaa', lines: [1, 101] }])
  })

  test('G2 an edit from before can be undone, children come back in their order', () => {
    const ops = [{ op: 'reorder', parentId: null, childrenIds: ['c', 'a', 'b'] }]
    const lines = [message('a', null), message('b', null), message('c', null), edit('e', 'c', ops)]
    const tree = restore(saveTree(treeOf(...lines)))
    expect(roots(tree)).toEqual(['c', 'a', 'b'])
    goOn(tree, JSON.stringify(planUndo(tree, tree.leaf).entry))
    expect(roots(tree)).toEqual(['a', 'b', 'c'])
    for (const after of [tree, restore(saveTree(tree))]) {
      expect(() => planUndo(after, after.leaf)).toThrow(expect.objectContaining({ code: 'nothing_to_undo' }))
      expect(planRedo(after, after.leaf).operations).toEqual(ops)
    }
  })

  test('of a log without ids goes on under its last entry', () => {
    const v1 = { sessionId: 's', version: 1 }
    const line = '{"type":"message","timestamp":"2025-01-01T00:00:00.000Z","message":{"role":"user","content":"hi"}}'
    const make = (count: number) => new Tree(scanLines(...Array<string>(count).fill(line)), v1)
    const tree = restore(saveTree(make(2)), v1)
    goOn(tree, line, line)
    const ids = (of: Tree) => nodePath(of, of.leaf).map((ref) => of.ids.textOf(ref))
    expect(ids(tree)).toEqual(ids(make(4)))
    expect(ids(tree)).toHaveLength(4)
  })

  test('a snapshot stays as it is while the tree goes on', () => {
    const tree = treeOf(message('a', null), message('b', 'a'))
    const saved = saveTree(tree)
    goOn(tree, edit('e', 'b', [{ op: 'mute', nodeIds: ['a'] }]), message('c', 'b'))
    const { columns, ids, rowCount } = restore(saved)
    expect([columns.has(ids.find('a'), Flag.muted), ids.find('c'), rowCount]).toEqual([false, -1, 2])
  })

  test('a line over 4 GiB keeps its length, and what follows it its place', () => {
    const tree = new Tree(undefined, options)
    const head = { kind: 1, role: 1, parentId: null, timeMs: Number.NaN } as const
    const long = 5 * 2 ** 30
    tree.append({ ...head, id: 'a', offset: 100, length: long, line: 2 })
    tree.append({ ...head, id: 'b', offset: 101 + long, length: 7, line: 3 })
    const { heads } = restore(saveTree(tree))
    expect([heads.lengthOf(0), heads.offset[1], heads.lengthOf(1)]).toEqual([long, 101 + long, 7])
  })
})

describe('a line that changes how earlier ones are read', () => {
  const orphan = () => restore(saveTree(treeOf(message('c', 'late'), message('d', 'c'))))

  test('a parent that comes late makes the tree ask for a rescan and stay as it was', () => {
    const tree = orphan()
    goOn(tree, message('x', 'd'), message('late', 'd'), message('y', 'x'))
    expect([tree.needsRescan, tree.rowCount, tree.ids.textOf(tree.leaf)]).toEqual([true, 3, 'x'])
    expect(roots(tree)).toEqual(['c'])
    goOn(tree, message('z', 'y'))
    expect(tree.rowCount).toBe(3)
    expect(() => saveTree(tree)).toThrow(expect.objectContaining({ code: 'internal' }))
  })

  test('so does a generation that announces it, and a duplicate with another parent', () => {
    const head = { type: 'custom', id: 'g', parentId: 'd', timestamp: '' }
    const generation = { ...head, customType: 'treeline/generation', data: { nodeId: 'late' } }
    for (const line of [JSON.stringify(generation), message('d', null)]) {
      const tree = orphan()
      goOn(tree, line)
      expect([tree.needsRescan, tree.rowCount]).toEqual([true, 2])
    }
  })
})

describe('saved columns that do not add up are refused', () => {
  const saved = () => saveTree(treeOf(message('aaaaaaaa', null), message('b', 'aaaaaaaa'), message('c', 'b')))
  const withMeta = (change: object) => ({ ...saved(), meta: { ...saved().meta, ...change } })

  test.each([
    ['another format', { format: 0 }],
    ['the other byte order', { littleEndian: undefined }],
    ['another session', { sessionId: 't' }],
    ['another log version', { version: 1 }],
    ['more rows than were saved', { rows: 4 }],
    ['a negative count', { refs: -1 }],
    ['an absurd count', { refs: 2 ** 40, rows: 2 ** 40 }],
    ['no ids', { refs: 0, rows: 0 }],
    ['no sizes', { sizes: undefined }],
    ['a size no array has', { sizes: { ...(saved().meta.sizes as object), state: 2 ** 50 } }],
    ['a list cut in two', { sizes: { ...(saved().meta.sizes as object), refs: 4 } }],
  ])('%s', (_, change) => {
    expect(() => restore(withMeta(change))).toThrow(refused)
  })

  test.each(['null', '7', '"meta"', '[]', '{}'])('meta that is %s', (meta) => {
    expect(() => restore({ ...saved(), meta: JSON.parse(meta) })).toThrow(refused)
  })

  test.each([
    ['a parent out of range', 'parents', 2, 77],
    ['a ring of parents', 'parents', 2, 3],
    ['a ring of stored parents', 'rawParents', 2, 3],
    ['an entry that is its own parent', 'parents', 2, 2],
    ['an id outside the bytes', 'ids', 5, 1000],
    ['a row of no ref', 'refs', 1, 9],
  ])('%s', (_, name, at, value) => {
    const { meta, sections } = saved()
    const bytes = sections.find((section) => section.name === name)!.bytes.slice()
    new Int32Array(bytes.buffer)[at] = value
    const changed = sections.map((section) => (section.name === name ? { name, bytes } : section))
    const look = () => {
      const tree = restore({ meta, sections: changed })
      return [tree.columns.parent, tree.ids.load(), tree.columns.next]
    }
    expect(look).toThrow(refused)
  })

  test('I2 ids that could not be read are not taken for unknown ones', () => {
    const { meta, sections } = saved()
    let isReadable = false
    const bytes = new Map(sections.map((section) => [section.name, section.bytes]))
    const tree = restoreTree(
      JSON.parse(JSON.stringify(meta)),
      (name, into, at = 0) => {
        if (name === 'ids' && !isReadable) throw new Error('a bad disk')
        into.set(bytes.get(name)!.subarray(at, at + into.length))
      },
      options,
    )
    for (let tries = 0; tries < 2; tries++) expect(() => tree.ids.find('nobody12')).toThrow('a bad disk')
    isReadable = true
    expect([tree.ids.find('nobody12'), tree.ids.find(tree.ids.textOf(2))]).toEqual([-1, 2])
  })
})
