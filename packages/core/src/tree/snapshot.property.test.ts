import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HeadScanner, scanLog } from '../codec/scan.ts'
import { planEdit } from '../edit/plan.ts'
import { planUndo } from '../edit/undo.ts'
import type { Entry } from '../entry/entry.ts'
import { TreelineError } from '../errors.ts'
import { arbitraryConversation } from '../testing/arbitrary-conversation.ts'
import { applyPicks, arbitraryPick, attempt, commit, toOp } from '../testing/arbitrary-edit.ts'
import { hostileEntries } from '../testing/arbitrary-hostile.ts'
import { arbitraryEntries } from '../testing/arbitrary-log.ts'
import { describeFully } from '../testing/describe-fully.ts'
import { TestLog } from '../testing/make-tree.ts'
import { runs } from '../testing/runs.ts'
import { changeByte, restoreSaved } from '../testing/saved-tree.ts'
import { listBranches } from './branches.ts'
import { attachedLeaf } from './leaf.ts'
import { storedPath } from './path.ts'
import { saveTree } from './snapshot.ts'
import { Tree } from './tree.ts'

const encoder = new TextEncoder()
const options = { sessionId: 's' }
const HEADER = '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}'

/** How the lines are written: their ends, blank lines and garbage between them, ids of eight bytes or none. */
const dress = fc.record({
  end: fc.constantFrom('\n', '\r\n'),
  gaps: fc.array(fc.constantFrom('', '', '\n', 'garbage\n', '{"type":"message"\n'), { maxLength: 30 }),
  usualIds: fc.boolean(),
  withoutId: fc.nat(12),
})

function source(prefix: string) {
  let made = 0
  return { now: () => '2026-01-03T00:00:00.000Z', newId: () => `${prefix}${made++}` }
}

/** With edits of all kinds after them, some of them taken back at once. */
const editedEntries = (entries: fc.Arbitrary<Entry[]>) =>
  fc.tuple(entries, fc.array(arbitraryPick(), { maxLength: 16 })).map(([list, picks]) => {
    const log = new TestLog(list)
    for (const pick of picks) {
      applyPicks(log, [pick], `x${log.entries.length}-`)
      const { tree } = log
      const undo = pick.flag
        ? attempt(() => planUndo(tree, attachedLeaf(tree), {}, source(`u${log.entries.length}-`)))
        : undefined
      if (undo !== undefined) commit(log, undo)
    }
    return log.entries
  })
const orderly = fc.oneof(editedEntries(arbitraryEntries()), editedEntries(arbitraryConversation({ maxLength: 16 })))
const anyEntries = fc.oneof(hostileEntries, editedEntries(arbitraryEntries({ wild: true })), orderly)

interface Log {
  readonly bytes: Uint8Array
  /** Where each line ends, the header's first. */
  readonly ends: readonly number[]
}

const logOf = (entries: fc.Arbitrary<readonly Entry[]>): fc.Arbitrary<Log> =>
  fc.tuple(entries, dress).map(([list, { end, gaps, usualIds, withoutId }]) => {
    const ends: number[] = []
    let text = ''
    for (const [i, line] of [
      HEADER,
      ...list.map((entry, i) => JSON.stringify(i === withoutId ? { ...entry, id: undefined } : entry)),
    ].entries()) {
      const usual = usualIds ? line.replaceAll(/"e(\d+)"/g, (_, n: string) => `"e${n.padStart(7, '0')}"`) : line
      text += `${i === 0 ? '' : (gaps[i] ?? '')}${usual}${end}`
      ends.push(encoder.encode(text).length)
    }
    return { bytes: encoder.encode(text), ends }
  })

function treeOf(bytes: Uint8Array): Tree {
  return new Tree(scanLog(bytes).heads, options)
}

/** Scans what comes after `start` into a tree that knows what comes before. */
function goOn(tree: Tree, { bytes }: Log, start: number): void {
  const startLine = bytes.subarray(0, start).filter((byte) => byte === 10).length + 1
  const scanner = new HeadScanner({ heads: tree.heads, startOffset: start, startLine })
  scanner.push(bytes.subarray(start))
  scanner.end()
  tree.sync()
}

function outcome(plan: () => unknown): unknown {
  try {
    return plan()
  } catch (error) {
    return error instanceof TreelineError ? error.code : error
  }
}

describe('saved columns give the tree that reading the log gives', () => {
  test('saved at any line and read on from there, or the tree asks for a rescan', () => {
    let rescans = 0
    const read = (log: Log, at: number) => {
      const start = log.ends[at % log.ends.length]!
      const tree = restoreSaved(saveTree(treeOf(log.bytes.subarray(0, start))))
      goOn(tree, log, start)
      if (tree.needsRescan) rescans++
      // A tree that is stuck is the tree of the rows before the one it could not take.
      const end = tree.needsRescan ? treeOf(log.bytes).heads.offset[tree.rowCount]! : log.bytes.length
      const expected = describeFully(treeOf(log.bytes.subarray(0, end)), log.bytes)
      const found = describeFully(tree, log.bytes)
      expect(tree.needsRescan ? { ...found, problems: expected.problems } : found).toEqual(expected)
    }
    fc.assert(fc.property(logOf(anyEntries), fc.nat(), read), { numRuns: runs(600) })
    expect(rescans).toBeGreaterThan(0)
  })

  test('a log whose lines follow their parents never needs a rescan', () => {
    fc.assert(
      fc.property(logOf(orderly), fc.nat(), (log, at) => {
        const start = log.ends[at % log.ends.length]!
        const tree = restoreSaved(saveTree(treeOf(log.bytes.subarray(0, start))))
        goOn(tree, log, start)
        expect(tree.needsRescan).toBe(false)
        expect(tree.rowCount).toBe(treeOf(log.bytes).rowCount)
      }),
      { numRuns: runs(300) },
    )
  })

  test('edits and undos are planned alike on it, and it saves to the same bytes', () => {
    fc.assert(
      fc.property(logOf(anyEntries), fc.array(arbitraryPick(), { maxLength: 4 }), ({ bytes }, picks) => {
        const tree = treeOf(bytes)
        const saved = saveTree(tree)
        const copy = restoreSaved(saved)
        expect(saveTree(copy)).toEqual(saved)
        for (const pick of picks) {
          const plan = (on: Tree) =>
            outcome(() => planEdit(on, attachedLeaf(on), { operations: [toOp(on, pick)] }, source('y')))
          expect(plan(copy)).toEqual(plan(tree))
        }
        for (const { id } of tree.edits.records) {
          const undo = (on: Tree) => outcome(() => planUndo(on, attachedLeaf(on), { editId: id }, source('y')))
          expect(undo(copy)).toEqual(undo(tree))
        }
      }),
      { numRuns: runs(500) },
    )
  })

  test('a changed byte is refused, or what it gives can be walked to the end', () => {
    let refused = 0
    const tamper = ({ bytes }: Log, which: number, at: number, byte: number) => {
      const changed = changeByte(saveTree(treeOf(bytes)), which, at, byte)
      try {
        const tree = restoreSaved(changed)
        listBranches(tree)
        attachedLeaf(tree)
        tree.problems()
        for (let row = 0; row < tree.rowCount; row++) storedPath(tree, tree.refAtRow(row))
      } catch (error) {
        expect(error).toMatchObject({ code: 'damaged' })
        refused++
      }
    }
    const anyByte = fc.oneof(fc.nat(40), fc.constantFrom(127, 128, 254, 255))
    fc.assert(fc.property(logOf(anyEntries), fc.nat(), fc.nat(), anyByte, tamper), { numRuns: runs(800) })
    expect(refused).toBeGreaterThan(0)
  })
})
