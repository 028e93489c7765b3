import type { AgentMessage } from '@treeline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BranchMessage } from './branch-messages.ts'
import { fitNewest } from './fit-messages.ts'

const message = fc.record({
  role: fc.constantFrom('user', 'assistant', 'toolResult', 'branchSummary'),
  size: fc.oneof(fc.nat(40), fc.nat(400)),
})

async function* newestFirst(items: readonly BranchMessage[]): AsyncGenerator<BranchMessage> {
  yield* items
}

test('property: what fits is the newest, in order, within the room, and nothing goes uncounted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 30 }), fc.integer({ min: 10, max: 400 }), async (list, tokens) => {
      const spare = Math.floor(tokens / 10)
      const items = list.map(({ role, size }, i): BranchMessage => {
        const stored = { role, content: 'x'.repeat(size) } as unknown as AgentMessage
        return { nodeId: `n${i}`, message: stored, isSummary: role === 'branchSummary', details: undefined }
      })
      const words = ({ message: { role, ...rest } }: BranchMessage): string => {
        const { content } = rest as { readonly content: string }
        return content === '' ? '' : `${role} ${content}`
      }
      const seen: string[] = []
      const { pieces, leftOut } = await fitNewest(newestFirst(items), {
        tokens,
        spare,
        render: words,
        tokensOf: (text) => text.length,
        see: ({ nodeId }) => seen.push(nodeId),
      })
      const told = items.filter((item) => words(item) !== '')
      expect(seen).toHaveLength(items.length)
      expect(pieces.length + leftOut).toBe(told.length)
      const places = pieces.map(({ nodeId }) => Number(nodeId.slice(1)))
      expect(places).toEqual([...places].sort((a, b) => b - a))
      // Beside what tools gave back there is no gap: whatever is missing is older than all that is there.
      const said = told.filter((item) => item.message.role !== 'toolResult').map(({ nodeId }) => nodeId)
      const kept = pieces.filter((piece) => piece.message.role !== 'toolResult').map(({ nodeId }) => nodeId)
      expect(kept.toReversed()).toEqual(said.slice(0, kept.length))
      if (said.length > 0) expect(kept.length).toBeGreaterThan(0)
      const chars = pieces.reduce((sum, { text }) => sum + text.replace(/\n\[\d+ more .*\]$/, '').length, 0)
      expect(chars).toBeLessThanOrEqual(tokens + spare)
    }),
    { numRuns: 300 },
  )
})
