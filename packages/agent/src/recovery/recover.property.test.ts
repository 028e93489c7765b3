import { GENERATION_TYPE, nodePath, ROOT } from '@treeline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arbitrarySteps, fillSession } from '../testing/arbitrary-session.ts'
import { lineFaults } from '../testing/line-faults.ts'
import { testEnv } from '../testing/test-env.ts'
import { recover } from './recover.ts'

const RUNS = Math.ceil(150 * Number(process.env.TREELINE_RUNS_FACTOR ?? 1))

test('any tree: the line can be sent, the leaf is where it was or below, and a second time nothing is written', async () => {
  const seen = { closed: 0, marked: 0 }
  await fc.assert(
    fc.asyncProperty(arbitrarySteps(), fc.array(fc.nat(1000), { maxLength: 3 }), async (steps, places) => {
      await using session = await fillSession(steps)
      const leafBefore = session.leafId
      for (const [i, place] of places.entries()) {
        const nodes = Array.from({ length: session.tree.rowCount }, (_, row) => session.tree.refAtRow(row))
        const parentId = nodes.length === 0 ? null : session.tree.ids.textOf(nodes[place % nodes.length]!)
        const data = { nodeId: `gone${i}`, parentId, model: 'scripted/one' }
        const isHere = place % 4 === 0
        const options = { parentId: isHere ? session.leafId : parentId, leaf: isHere ? 'move' : 'stay' } as const
        // Not under what is deleted or is being generated.
        await session.append({ type: 'custom', customType: GENERATION_TYPE, data }, options).catch(() => {})
      }
      const at = session.leafId
      const { closed, calls } = await recover(testEnv(), session, { rerun: 'repeatable' })
      const { tree, seq } = session
      const path = nodePath(tree, session.leafId === null ? ROOT : tree.ids.find(session.leafId))
      if (at !== null) expect([ROOT, ...path]).toContain(tree.columns.ownerOf(tree.ids.find(at)))
      if (closed.length + calls.length === 0) expect(session.leafId).toBe(leafBefore)
      expect(lineFaults((await session.line()).messages)).toEqual([])
      const again = await recover(testEnv(), session)
      expect(again).toMatchObject({ closed: [], calls: [], runningIds: [], problems: [] })
      expect(session.seq).toBe(seq)
      seen.closed += closed.length
      seen.marked += calls.length
    }),
    { numRuns: RUNS },
  )
  expect(Math.min(seen.closed, seen.marked)).toBeGreaterThan(20)
})
