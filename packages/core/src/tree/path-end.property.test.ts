import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HeadScanner, scanLog } from '../codec/scan.ts'
import type { Entry } from '../entry/entry.ts'
import { buildLine, type Line, type LineOptions } from '../line/line.ts'
import { runSteps } from '../steps.ts'
import { arbitraryConversation } from '../testing/arbitrary-conversation.ts'
import { applyPicks, arbitraryPick } from '../testing/arbitrary-edit.ts'
import { hostileEntries } from '../testing/arbitrary-hostile.ts'
import { arbitraryEntries } from '../testing/arbitrary-log.ts'
import { TestLog } from '../testing/make-tree.ts'
import { runs } from '../testing/runs.ts'
import { changeByte, restoreSaved } from '../testing/saved-tree.ts'
import { Flag } from './columns.ts'
import { attachedLeaf } from './leaf.ts'
import { type LinePath, linePath } from './path.ts'
import { PathEnd } from './path-end.ts'
import { saveTree } from './snapshot.ts'
import { Tree } from './tree.ts'

const options = { sessionId: 's' }
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** What may stand in place of a message: everything that rules a path from afar, usable or not. */
const STATES: readonly object[] = [
  { type: 'model_change', provider: 'a', modelId: 'm' },
  { type: 'model_change', provider: 'b', modelId: 'm', model: 'b/m', role: 'default' },
  { type: 'model_change', model: 'c/m', role: 'smol' },
  { type: 'model_change', model: 7 },
  { type: 'thinking_level_change', thinkingLevel: 'high' },
  { type: 'thinking_level_change', thinkingLevel: 5 },
  { type: 'service_tier_change', serviceTier: 'flex' },
  { type: 'mode_change', mode: 'plan', data: { a: 1 } },
  { type: 'mode_change', mode: null },
  { type: 'ttsr_injection', injectedRules: ['r1'] },
  { type: 'ttsr_injection', injectedRules: ['r2', 'r3'] },
  { type: 'active_tools_change', activeToolNames: ['t'] },
  { type: 'active_tools_change', activeToolNames: 'none' },
  { type: 'reset_boundary' },
  { type: 'compaction', summary: 'all of it', firstKeptEntryId: 'e0' },
]

const withStates = (entries: fc.Arbitrary<Entry[]>): fc.Arbitrary<Entry[]> =>
  fc.tuple(entries, fc.array(fc.nat(STATES.length * 3), { maxLength: 60 })).map(([list, picks]) =>
    list.map((entry, i): Entry => {
      const state = entry.type === 'message' ? STATES[picks[i] ?? STATES.length] : undefined
      const { id, parentId, timestamp } = entry
      return state === undefined ? entry : ({ ...state, id, parentId, timestamp } as Entry)
    }),
  )
const edited = (entries: fc.Arbitrary<Entry[]>, op?: string): fc.Arbitrary<Entry[]> =>
  fc.tuple(entries, fc.array(arbitraryPick(), { maxLength: 4 })).map(([list, picks]) => {
    const log = new TestLog(list)
    applyPicks(log, op === undefined ? picks : picks.map((pick) => ({ ...pick, op })), 'x')
    return [...log.entries]
  })
const long = withStates(arbitraryConversation({ maxLength: 60 }))
const anyLog = fc.oneof(
  { weight: 4, arbitrary: long },
  { weight: 3, arbitrary: edited(long) },
  { weight: 3, arbitrary: edited(long, 'graft') },
  { weight: 1, arbitrary: edited(withStates(arbitraryEntries({ wild: true, maxLength: 40 }))) },
  { weight: 1, arbitrary: hostileEntries as fc.Arbitrary<Entry[]> },
)

const linesOf = (entries: readonly Entry[], end = '\n') =>
  encoder.encode(entries.map((entry) => `${JSON.stringify(entry)}${end}`).join(''))
const treeOf = (bytes: Uint8Array) => new Tree(scanLog(bytes, { expectsHeader: false }).heads, options)

function readLine(tree: Tree, leaf: number, path: LinePath, log: Uint8Array, how: LineOptions = {}): Line {
  return runSteps(buildLine(tree, leaf, how, path), (positions) =>
    positions.map((position) => {
      const row = tree.bodyRow(path.refs[position]!)
      if (row < 0) return undefined
      const start = tree.heads.offsetOf(row)
      return JSON.parse(decoder.decode(log.subarray(start, start + tree.heads.lengthOf(row)))) as Entry
    }),
  )
}

const all = ({ messages, nodes, injected, state }: Line) => ({ messages, nodes, injected, state })
const knownRefs = ({ ids, columns }: Tree) =>
  Array.from({ length: ids.count }, (_, ref) => ref).filter((ref) => ref > 0 && columns.has(ref, Flag.known))

describe('the end of a path, read by pages', () => {
  test('G4 gives the line of the whole path, of every leaf, and leaves the rest unread', () => {
    let shortened = 0
    const compare = (entries: readonly Entry[], size: number, how: number, pick: number) => {
      const bytes = linesOf(entries)
      const whole = treeOf(bytes)
      const saved = saveTree(whole)
      const leaves = knownRefs(whole)
      const leaf = how === 0 ? whole.leaf : (leaves[pick % Math.max(1, leaves.length)] ?? whole.leaf)
      const tree = restoreSaved(saved)
      const path = leaf === 0 ? undefined : PathEnd.find(tree, leaf, size)
      if (path === undefined) return
      const id = whole.ids.textOf(leaves[pick % leaves.length]!)
      const asked = [{}, { mode: 'linear' as const }, { mute: new Set([id]) }, { unmute: new Set([id]) }][how]!
      const line = readLine(tree, leaf, path, bytes, asked)
      if (!path.isWhole) {
        shortened++
        expect(tree.columns.loading.isPending).toBe(true)
      }
      expect(all(line)).toEqual(all(readLine(whole, leaf, linePath(whole, leaf), bytes, asked)))
    }
    fc.assert(fc.property(anyLog, fc.integer({ min: 1, max: 6 }), fc.nat(3), fc.nat(), compare), {
      numRuns: runs(2500),
    })
    expect(shortened).toBeGreaterThan(100)
  })

  test('G4 its nodes are those of when it was built, whatever came since', () => {
    let shortened = 0
    const compare = (entries: readonly Entry[], more: readonly Entry[], size: number) => {
      const bytes = linesOf(entries)
      const whole = treeOf(bytes)
      const tree = restoreSaved(saveTree(whole))
      const path = tree.leaf === 0 ? undefined : PathEnd.find(tree, tree.leaf, size)
      if (path === undefined) return
      const { leaf } = tree
      const line = readLine(tree, leaf, path, bytes)
      if (!path.isWhole) shortened++
      const scanner = new HeadScanner({ heads: tree.heads, startOffset: bytes.length, startLine: entries.length + 1 })
      scanner.push(linesOf(more))
      scanner.end()
      tree.sync()
      expect(line.nodes).toEqual(readLine(whole, leaf, linePath(whole, leaf), bytes).nodes)
    }
    const grown = fc
      .tuple(long, fc.array(arbitraryPick(), { minLength: 1, maxLength: 4 }))
      .map(([entries, picks]): [Entry[], Entry[]] => {
        const log = new TestLog(entries)
        applyPicks(log, picks, 'x')
        return [entries, log.entries.slice(entries.length)]
      })
    fc.assert(
      fc.property(grown, fc.integer({ min: 1, max: 6 }), ([entries, more], size) => compare(entries, more, size)),
      { numRuns: runs(600) },
    )
    expect(shortened).toBeGreaterThan(20)
  })

  test('V6 a leaf that was cut off is told from one that hangs on, by pages as by all of the tree', () => {
    let unloaded = 0
    const compare = (entries: readonly Entry[]) => {
      const whole = treeOf(linesOf(entries))
      const saved = saveTree(whole)
      for (const leaf of knownRefs(whole)) {
        const tree = restoreSaved(saved)
        expect(attachedLeaf(tree, leaf)).toBe(attachedLeaf(whole, leaf))
        if (tree.columns.loading.isPending) unloaded++
      }
    }
    fc.assert(fc.property(edited(arbitraryConversation({ maxLength: 30 })), compare), { numRuns: runs(150) })
    expect(unloaded).toBeGreaterThan(100)
  })

  test('single rows say what all of them say', () => {
    const compare = (entries: readonly Entry[], end: string, withoutId: number) => {
      const bytes = linesOf(
        entries.map((entry, i) => (i === withoutId ? ({ ...entry, id: undefined } as unknown as Entry) : entry)),
        end,
      )
      const whole = treeOf(bytes)
      const tree = restoreSaved(saveTree(whole))
      const rows = Array.from({ length: whole.rowCount }, (_, row) => row)
      const look = ({ heads, ids, ...on }: Tree, by: Tree) => ({
        rows: rows.map((row) => ({
          ...{ offset: heads.offsetOf(row), length: heads.lengthOf(row), line: heads.lineOf(row) },
          ...{ hasId: heads.hasIdOf(row), id: ids.textOf(by.refAtRow(row)) },
        })),
        bodies: Array.from({ length: ids.count }, (_, ref) => by.bodyRow(ref)).slice(1),
        leaf: on.leaf,
      })
      expect(look(tree, tree)).toEqual(look(whole, whole))
      expect(tree.heads.filling.isPending).toBe(true)
    }
    fc.assert(fc.property(anyLog, fc.constantFrom('\n', '\r\n', '\n\n', '\ngarbage\n'), fc.nat(30), compare), {
      numRuns: runs(500),
    })
  })

  test('a changed byte is refused, or leads to an end', () => {
    let refused = 0
    const tamper = (entries: readonly Entry[], which: number, at: number, byte: number, size: number) => {
      const changed = changeByte(saveTree(treeOf(linesOf(entries))), which, at, byte)
      try {
        const tree = restoreSaved(changed)
        const path = PathEnd.find(tree, tree.leaf, size)
        if (path === undefined) return
        for (let from = 0; path.widen(from); from = 0);
        for (const ref of path.refs) expect(ref > 0 && ref < tree.ids.count).toBe(true)
        for (const ref of path.refs) tree.heads.offsetOf(Math.max(0, tree.bodyRow(ref)))
      } catch (error) {
        expect(error).toMatchObject({ code: 'damaged' })
        refused++
      }
    }
    const anyByte = fc.oneof(fc.nat(60), fc.constantFrom(127, 128, 254, 255))
    fc.assert(fc.property(long, fc.nat(), fc.nat(), anyByte, fc.integer({ min: 1, max: 6 }), tamper), {
      numRuns: runs(1500),
    })
    expect(refused).toBeGreaterThan(0)
  })
})
