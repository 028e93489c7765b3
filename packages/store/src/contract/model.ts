import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amount, isTorture } from '../torture/amounts.ts'
import { type ContractOptions, openGiven } from './given.ts'
import { expectLook } from './look.ts'
import { RealSession, treeCommands } from './tree-commands.ts'
import { TreeModel } from './tree-model.ts'

/** Half of it on average. */
const MAX_COMMANDS = isTorture ? 400 : 100
const TIMEOUT = { timeout: isTorture ? 24 * 3_600_000 : 120_000 }

export function modelContract(options: ContractOptions): void {
  describe('model', () => {
    test('G2, G3 the tree is what a naive model says, whatever is done, also when read afresh', TIMEOUT, async () => {
      const run = fc.asyncProperty(treeCommands(MAX_COMMANDS), async (commands) => {
        await using given = await openGiven(options)
        // No power fails here.
        await using real = await RealSession.create(given, { durability: 'written' })
        const model = new TreeModel()
        await fc.asyncModelRun(() => ({ model, real }), commands)
        await real.reopen()
        expectLook(real.session.tree, model.look())
        expect(real.session.leafId).toBe(model.leaf)
        expect(real.session.report().problems).toEqual([])
      })
      await fc.assert(run, { numRuns: amount(300, 20_000) })
    })
  })
}
