import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Entry } from '../entry/entry.ts'
import { arbitraryConversation } from '../testing/arbitrary-conversation.ts'
import { applyPicks, arbitraryPick } from '../testing/arbitrary-edit.ts'
import { arbitraryEntries } from '../testing/arbitrary-log.ts'
import { compareLine } from '../testing/compare-line.ts'
import { lineOf } from '../testing/line-of.ts'
import { expectLine } from '../testing/line-oracle.ts'
import { TestLog } from '../testing/make-tree.ts'
import { checkAnthropic, checkGemini, checkJson, checkOpenAi } from '../testing/provider-rules.ts'
import { runs } from '../testing/runs.ts'
import { listBranches } from '../tree/branches.ts'
import { Flag, ROOT } from '../tree/columns.ts'
import { attachedLeaf } from '../tree/leaf.ts'
import type { Line } from './line.ts'

/** The active leaf, the ends of branches, and any entry at all. */
function someLeaves({ tree }: TestLog, pick: number): number[] {
  const ends = listBranches(tree).map(({ leafId }) => tree.ids.find(leafId))
  const any = 1 + (pick % Math.max(1, tree.ids.count - 1))
  const known = any < tree.ids.count && tree.columns.has(any, Flag.known)
  return [...new Set([attachedLeaf(tree), ...ends.slice(-2), ...(known ? [any] : [])])]
}

function expectAccepted({ messages }: Line): void {
  const violations = {
    openai: checkOpenAi(messages),
    anthropic: checkAnthropic(messages),
    gemini: checkGemini(messages),
  }
  expect(violations).toEqual({ openai: [], anthropic: [], gemini: [] })
}

describe('the line of any conversation', () => {
  test('G4 is accepted by providers, holds what it must, and is the same bytes every time', () => {
    fc.assert(
      fc.property(
        arbitraryConversation(),
        fc.array(arbitraryPick(), { maxLength: 8 }),
        fc.nat(),
        fc.array(fc.nat(30), { maxLength: 2 }),
        (entries, edits, pick, holes) => {
          const log = new TestLog(entries)
          applyPicks(log, edits)
          const unreadable = new Set(holes.map((hole) => `e${hole}`))
          for (const leaf of someLeaves(log, pick)) {
            const line = lineOf(log, leaf, { unreadable })
            expect(compareLine(expectLine(log, leaf, unreadable), line)).toEqual([])
            expectAccepted(line)
            expect(checkJson(line.nodes)).toEqual([])
            const bytes = JSON.stringify(line)
            expect(JSON.stringify(lineOf(log, leaf, { unreadable }))).toBe(bytes)
            const batch = log.rebuilt()
            const same = leaf === ROOT ? ROOT : batch.tree.ids.find(log.tree.ids.textOf(leaf))
            expect(JSON.stringify(lineOf(batch, same, { unreadable }))).toBe(bytes)
          }
        },
      ),
      { numRuns: runs(500) },
    )
  })

  test('G4 is accepted by providers for any tree: rings, orphans, ids used twice', () => {
    fc.assert(
      fc.property(arbitraryEntries({ wild: true }), fc.array(arbitraryPick(), { maxLength: 12 }), (entries, edits) => {
        const log = new TestLog(entries)
        applyPicks(log, edits)
        const line = lineOf(log)
        expectAccepted(line)
        expect(JSON.stringify(lineOf(log.rebuilt()))).toBe(JSON.stringify(line))
      }),
      { numRuns: runs(300) },
    )
  })

  test('G1 a chain of 20,000 gives its line', () => {
    const timestamp = '2026-01-01T00:00:00.000Z'
    const entries = Array.from({ length: 20_000 }, (_, i): Entry => {
      const content = [{ type: 'text', text: `mk${i}km` }]
      const role = i % 2 === 0 ? 'user' : 'assistant'
      return {
        type: 'message',
        id: `e${i}`,
        parentId: i === 0 ? null : `e${i - 1}`,
        timestamp,
        message: { role, content },
      }
    })
    const line = lineOf(new TestLog(entries))
    expect(line.messages).toHaveLength(20_000)
    expect(line.nodes.every((node) => node.in)).toBe(true)
    expectAccepted(line)
  })
})
