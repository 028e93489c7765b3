import { describe, expect, test } from 'vitest'
import { type ContractOptions, openGiven } from './given.ts'
import { entriesOf, trunkOf } from './look.ts'
import { assistant, converse, generation, model, user } from './say.ts'

export function branchesContract(options: ContractOptions): void {
  describe('branches', () => {
    test('S20, X23 a branch switch without a new message is there after a restart', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1', 'q2', 'a2')
      await session.branch('a1')
      expect(session.leafId).toBe('a1')
      const other = await (await given.reopen()).open(session.id)
      expect(other.leafId).toBe('a1')
      await converse(other, 'q3')
      expect(trunkOf(other)).toEqual(['q1', 'a1', 'q3'])
      expect(trunkOf(await (await given.reopen()).open(session.id))).toEqual(['q1', 'a1', 'q3'])
    })

    test('S20 after resetLeaf the next entry is a root, also when it comes after a restart', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      await session.resetLeaf()
      expect(session.leafId).toBeNull()
      const other = await (await given.reopen()).open(session.id)
      expect(other.leafId).toBeNull()
      expect((await other.line()).messages).toEqual([])
      await converse(other, 'r2')
      expect(trunkOf(other)).toEqual(['r2'])
      expect(await other.readEntry('r2')).toMatchObject({ parentId: null })
    })

    test('X22 with interleaved branches the leaf stays with whoever moved it last', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      for (const [parent, id] of [
        ['a1', 'x1'],
        ['a1', 'y1'],
        ['x1', 'x2'],
        ['y1', 'y2'],
        ['x2', 'x3'],
      ] as const) {
        await session.append(user(id, id), { parentId: parent })
      }
      await session.branch('y2')
      const other = await (await given.reopen()).open(session.id)
      expect(trunkOf(other)).toEqual(['q1', 'a1', 'y1', 'y2'])
      await other.branch('x3')
      expect(trunkOf(other)).toEqual(['q1', 'a1', 'x1', 'x2', 'x3'])
    })

    test.each(['label', 'generation'] as const)('Leaf: after a branch to a %s all who open it agree', async (kind) => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1', 'q2')
      if (kind === 'generation') await session.append(generation('b1', 'g1'))
      else await session.edit({ operations: [{ op: 'label', nodeId: 'a1', label: 'x' }], id: 'g1' })
      const seat = session.leafId
      await session.branch('q1')
      await session.branch('g1')
      const leaves = async () => [session.leafId, (await (await given.reopen()).open(session.id)).leafId]
      expect(await leaves()).toEqual([seat, seat])
      await session.setLabel('q1', 'next')
      expect(await leaves()).toEqual([seat, seat])
      await session.rename('Named')
      expect(await leaves()).toEqual([seat, seat])
    })

    test('S20 one can branch from a path entry: what acts on the path goes on acting', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      await session.append(model('big', 'm1'))
      await converse(session, 'q2')
      await session.branch('m1')
      expect(session.leafId).toBe('m1')
      const other = await (await given.reopen()).open(session.id)
      expect(other.leafId).toBe('m1')
      expect(await other.append(user('x', 'q3'))).toMatchObject({ parentId: 'm1' })
      expect((await other.line()).state.models.default).toBe('test/big')
    })

    test('S11, S20 branchWithSummary hangs a summary under the target and names the leaf that was left', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1', 'q2', 'a2')
      const summary = await session.branchWithSummary('q1', 'Tried a2', { readFiles: ['x.ts'] })
      expect(summary).toMatchObject({
        type: 'branch_summary',
        parentId: 'q1',
        fromId: 'q1',
        summary: 'Tried a2',
        details: { leftLeafId: 'a2', readFiles: ['x.ts'] },
      })
      expect(session.leafId).toBe(summary.id)
      const root = await session.branchWithSummary(null, 'All over again')
      expect(root).toMatchObject({ parentId: null, fromId: 'root', details: { leftLeafId: summary.id } })
      const other = await (await given.reopen()).open(session.id)
      expect(trunkOf(other)).toEqual([root.id])
      expect(await entriesOf(other)).toHaveLength(6)
    })

    test('S20 a summary names the leaf that the calls before it lead to, awaited or not', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      const answered = session.append(assistant('a1', 'a1'))
      const left = await session.branchWithSummary('q1', 'Tried a1', { files: 'x'.repeat(500_001) })
      await answered
      expect(left.details).toMatchObject({ leftLeafId: 'a1' })
      const reset = session.resetLeaf()
      const again = await session.branchWithSummary('q1', 'Tried nothing', { leftLeafId: 'somewhere' })
      await reset
      expect(again.details).toEqual({ leftLeafId: null })
      const other = await (await given.reopen()).open(session.id)
      expect(await other.readEntry(left.id)).toMatchObject({ details: { leftLeafId: 'a1' } })
      expect(await other.readEntry(again.id)).toMatchObject({ details: { leftLeafId: null } })
    })

    test('a branch to nowhere is refused and the leaf stays', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1', 'q2')
      await expect(session.branch('nobody')).rejects.toMatchObject({ code: 'node_not_found' })
      await session.edit({ operations: [{ op: 'prune', nodeId: 'a1' }] })
      await expect(session.branch('q2')).rejects.toMatchObject({ code: 'node_detached' })
      await session.edit({ operations: [{ op: 'delete', nodeIds: ['a1'] }] })
      await expect(session.branch('a1')).rejects.toMatchObject({ code: 'node_not_found' })
      expect(session.leafId).toBe('q1')
    })

    test('X42 a leaf that was pruned away by another writer falls back to where it was cut', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1', 'q2', 'a2')
      const other = await (await given.reopen()).open(session.id)
      await other.edit({ operations: [{ op: 'prune', nodeId: 'a1' }] })
      expect(await session.append(user('next', 'q3'))).toMatchObject({ id: 'q3' })
      expect(trunkOf(session)).toEqual(['q1', 'a1', 'q3'])
    })
  })
}
