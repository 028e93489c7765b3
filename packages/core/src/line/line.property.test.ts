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

/** The active leaf, the ends of the longest branches, and any entry at all. */
function someLeaves({ tree }: TestLog, pick: number): number[] {
  const ends = listBranches(tree).sort((a, b) => b.length - a.length)
  const any = 1 + (pick % Math.max(1, tree.ids.count - 1))
  const known = any < tree.ids.count && tree.columns.has(any, Flag.known)
  const longest = ends.slice(0, 2).map(({ leafId }) => tree.ids.find(leafId))
  return [...new Set([attachedLeaf(tree), ...longest, ...(known ? [any] : [])])]
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
      { numRuns: runs(800) },
    )
  })

  test('G4 is accepted by providers for any tree: rings, orphans, ids used twice', () => {
    fc.assert(
      fc.property(arbitraryEntries({ wild: true }), fc.array(arbitraryPick(), { maxLength: 12 }), (entries, edits) => {
        const log = new TestLog(entries)
        applyPicks(log, edits)
        const line = lineOf(log)
        expect(compareLine(expectLine(log, attachedLeaf(log.tree)), line)).toEqual([])
        expectAccepted(line)
        expect(JSON.stringify(lineOf(log.rebuilt()))).toBe(JSON.stringify(line))
      }),
      { numRuns: runs(300) },
    )
  })

  test('G1 a chain of 20,000 gives its line, also when every call has the same id and all results come last', () => {
    const timestamp = '2026-01-01T00:00:00.000Z'
    const text = (i: number) => [{ type: 'text', text: `mk${i}km` }]
    const call = { type: 'toolCall', id: 'same', name: 'read', arguments: {} }
    const messages = Array.from({ length: 20_000 }, (_, i) => {
      if (i >= 16_000)
        return { role: 'toolResult', toolCallId: 'same', toolName: 'read', content: text(i), isError: false }
      return i % 4 === 3
        ? { role: 'assistant', content: [call] }
        : { role: i % 2 === 0 ? 'user' : 'assistant', content: text(i) }
    })
    const entries = messages.map((message, i): Entry => {
      return { type: 'message', id: `e${i}`, parentId: i === 0 ? null : `e${i - 1}`, timestamp, message }
    })
    const line = lineOf(new TestLog(entries))
    expect(line.nodes.filter((node) => node.in)).toHaveLength(20_000)
    expect(line.messages.filter(({ role }) => role === 'tool')).toHaveLength(4_000)
    expectAccepted(line)
  })
})
