import { describe, expect, test } from 'vitest'
import { scanLog } from '../codec/scan.ts'
import { lineEnd, PathEnd } from './path-end.ts'
import { restoreTree, saveTree } from './snapshot.ts'
import { Tree } from './tree.ts'

const encoder = new TextEncoder()
const options = { sessionId: 's' }

/** A chain of entries named for their place, of the given types. */
function saved(types: readonly string[]) {
  const id = (i: number) => `e${String(i).padStart(7, '0')}`
  const lines = types.map((type, i) => {
    const head = { type, id: id(i), parentId: i === 0 ? null : id(i - 1), timestamp: '2026-01-01T00:00:00.000Z' }
    return `${JSON.stringify({ ...head, message: { role: 'user', content: 'x' }, modelId: 'm', provider: 'p' })}\n`
  })
  const tree = new Tree(scanLog(encoder.encode(lines.join('')), { expectsHeader: false }).heads, options)
  const { meta, sections } = saveTree(tree)
  const bytes = new Map(sections.map((section) => [section.name, section.bytes.slice()]))
  const asked: string[] = []
  const read = (name: string, into: Uint8Array, at = 0) => {
    asked.push(name)
    into.set(bytes.get(name)!.subarray(at, at + into.length))
  }
  const ints = (name: string) => new Int32Array(bytes.get(name)!.buffer)
  return { ints, asked, open: () => restoreTree(JSON.parse(JSON.stringify(meta)), read, options) }
}

const messages = (count: number) => Array.from({ length: count }, () => 'message')

describe('the end of a path', () => {
  test('of a million entries reads a page of each column, whatever stands above', () => {
    const { asked, open } = saved([...['model_change'], ...messages(40_000), 'compaction', ...messages(300)])
    const tree = open()
    asked.length = 0
    const path = lineEnd(tree, tree.leaf)
    expect([path.isWhole, path.length]).toEqual([false, 513])
    expect(path.kindAt(0)).toBe(6)
    expect(asked.sort()).toEqual(['flags', 'kinds', 'landmarks', 'parents', 'rawParents', 'roles'])
  })

  test('of a small log, of a tree that has grown and of one that was scanned is the whole path', () => {
    const small = saved(['compaction', ...messages(50)]).open()
    expect(lineEnd(small, small.leaf).isWhole).toBe(true)
    const grown = saved([...messages(9000), 'compaction', ...messages(5)]).open()
    expect(PathEnd.find(grown, grown.leaf, 10)).toBeDefined()
    const head = { kind: 1, role: 1, id: 'new', parentId: null, timeMs: 0, offset: 0, length: 1, line: 9999 } as const
    grown.append(head)
    expect(PathEnd.find(grown, grown.leaf, 10)).toBeUndefined()
  })

  test('however many lines were built on it, the whole path is looked at once before the tree changes', () => {
    const tree = saved([...messages(9000), 'compaction', ...messages(600)]).open()
    const ends = Array.from({ length: 100 }, () => lineEnd(tree, tree.leaf))
    const head = { kind: 1, role: 1, id: 'new', parentId: null, timeMs: 0, offset: 0, length: 1, line: 99_999 } as const
    tree.append(head)
    expect(new Set(ends.map((end) => end.whole().refs)).size).toBe(1)
    expect(ends[0]!.whole().length).toBe(9601)
  })

  test('G1 a ring of saved parents is refused when the whole path is looked at, and hangs nobody before', () => {
    const { ints, open } = saved(['compaction', ...messages(9000), 'custom', 'custom', 'custom'])
    ints('rawParents')[9002] = 9003
    const tree = open()
    expect(PathEnd.find(tree, tree.leaf)).toBeUndefined()
    expect(() => lineEnd(tree, tree.leaf)).toThrow(expect.objectContaining({ code: 'damaged' }))
  })

  test('G1 landmarks that lead in a ring, or parents that lead outside, are refused', () => {
    const ring = saved(['model_change', 'compaction', 'compaction', ...messages(9000)])
    ring.ints('landmarks')[4] = 1
    const tree = ring.open()
    expect(() => PathEnd.find(tree, tree.leaf, 9001)).toThrow(expect.objectContaining({ code: 'damaged' }))
    const outside = saved(['compaction', ...messages(9000)])
    outside.ints('rawParents')[8990] = 99_999
    const lost = outside.open()
    expect(() => PathEnd.find(lost, lost.leaf)).toThrow(expect.objectContaining({ code: 'damaged' }))
  })
})
