import { describe, expect, test } from 'vitest'
import type { Session } from '../session/session.ts'
import { type ContractOptions, openGiven } from './given.ts'
import { entriesOf, lookAt, trunkOf, wordsOf } from './look.ts'
import { assistant, converse, generation, model, user } from './say.ts'

const splice = { children: 'splice' } as const
const refuse = { children: 'refuse' } as const

function compaction(id: string, firstKeptEntryId: string) {
  return { type: 'compaction', id, summary: `sum ${id}`, firstKeptEntryId, tokensBefore: 10 }
}

export function undoableContract(options: ContractOptions): void {
  describe('undoable', () => {
    test('G2, G4 undo gives the old line back byte for byte, redo the new one, across restarts', async () => {
      await using given = await openGiven(options)
      const { id } = await given.store.create()
      const session = await given.store.open(id)
      await converse(session, 'q1', 'a1', 'q2', 'a2')
      const before = await bytes(session)
      await session.append(compaction('c1', 'q2'), { undoable: splice })
      const after = await bytes(session)
      expect(after).not.toBe(before)
      for (let round = 0; round < 2; round++) {
        const undoing = await (await given.reopen()).open(id)
        await undoing.undo()
        expect(await bytes(undoing)).toBe(before)
        expect(undoing.leafId).toBe('a2')
        const redoing = await (await given.reopen()).open(id)
        expect(await bytes(redoing)).toBe(before)
        await redoing.redo()
        expect(await bytes(redoing)).toBe(after)
        expect(redoing.leafId).toBe('c1')
      }
    })

    test('G2 undo brings the change of model back that stood before, also when another came after', async () => {
      await using given = await openGiven(options)
      for (const [name, more] of [
        ['plain', []],
        ['followed', [model('later', 'm2')]],
      ] as const) {
        const session = await given.store.create()
        await converse(session, 'q1', 'a1')
        await session.append(model('big', 'm1'))
        await session.append(compaction('c1', 'q1'), { undoable: splice })
        await session.appendAll(more)
        await session.undo()
        expect(session.leafId, name).toBe('m1')
        expect((await session.context()).models, name).toMatchObject({ default: 'test/big' })
        expect((await (await given.reopen()).open(session.id)).leafId, name).toBe('m1')
        await session.redo()
        expect(trunkOf(session), name).toEqual(['q1', 'a1', 'c1'])
      }
    })

    test('G2 splice: what followed moves up, the leaf with it, and redo puts all back', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      await session.append(compaction('c1', 'q1'), { undoable: splice })
      await converse(session, 'q2', 'a2')
      await session.append(user('sibling', 'q3'), { parentId: 'c1', leaf: 'stay' })
      const look = lookAt(session.tree)
      await session.undo()
      expect(trunkOf(session)).toEqual(['q1', 'a1', 'q2', 'a2'])
      expect(lookAt(session.tree).nodes.a1!.children).toEqual(['q2', 'q3'])
      expect(wordsOf(await session.line())).toEqual([
        'user: says q1',
        'assistant: says a1',
        'user: says q2',
        'assistant: says a2',
      ])
      const other = await (await given.reopen()).open(session.id)
      expect(trunkOf(other)).toEqual(trunkOf(session))
      await other.redo()
      expect(lookAt(other.tree)).toEqual(look)
      expect(trunkOf(other)).toEqual(['q1', 'a1', 'c1', 'q2', 'a2'])
    })

    test('G2 refuse: with something under it all stays as it is, and without it goes', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      const before = await bytes(session)
      await session.append(user('merged', 'x1'), { undoable: refuse })
      await session.append(assistant('reply', 'y1'))
      const look = lookAt(session.tree)
      await expect(session.undo()).rejects.toMatchObject({ code: 'stale_node' })
      expect(lookAt(session.tree)).toEqual(look)
      await session.edit({ operations: [{ op: 'delete', nodeIds: ['y1'] }], by: 'another' })
      await session.undo()
      expect(trunkOf(session)).toEqual(['q1', 'a1'])
      expect(await bytes(session)).toBe(before)
    })

    test('G2 a chain is one edit: the nodes go together, whatever is no node stays', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      const chain = [user('1', 'x1'), model('big', 'm1'), assistant('2', 'x2'), model('small', 'm2')]
      await session.appendAll(chain, { undoable: splice })
      const ends = [session.leafId, (await (await given.reopen()).open(session.id)).leafId]
      expect(ends).toEqual(['m2', 'm2'])
      await session.append(user('next', 'q2'))
      await session.undo()
      expect(trunkOf(session)).toEqual(['q1', 'a1', 'q2'])
      await session.redo()
      expect(trunkOf(session)).toEqual(['q1', 'a1', 'x1', 'x2', 'q2'])
      expect(session.report().problems).toEqual([])
    })

    test('G2 whoever undoes it from elsewhere stays there; one who came from elsewhere goes back', async () => {
      await using given = await openGiven(options)
      const one = await given.store.create()
      await converse(one, 'q1', 'a1', 'q2', 'a2')
      const two = await (await given.reopen()).open(one.id)
      await two.branch('q1')
      const summary = { type: 'branch_summary', id: 's1', fromId: 'q1', summary: 'tried' }
      await one.append(summary, { parentId: 'q1', undoable: splice })
      const edit = (await entriesOf(one)).at(-1)!
      await two.undo({ editId: edit.id })
      await one.refresh()
      expect([one.leafId, two.leafId]).toEqual(['q1', 'q1'])
      await two.redo()
      await one.branch('s1')
      await one.undo({ editId: edit.id })
      expect([one.leafId, two.leafId]).toEqual(['a2', 'q1'])
    })

    test('G2 what was added without moving the leaf is taken away without moving it', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1', 'q2')
      await session.append(assistant('other', 'b1'), { parentId: 'q1', leaf: 'stay', undoable: refuse })
      const edit = (await entriesOf(session)).findLast(({ data }) => JSON.stringify(data)?.includes('added'))!
      await session.branch('q1')
      await session.undo({ editId: edit.id })
      expect(session.leafId).toBe('q1')
      expect(lookAt(session.tree)).toMatchObject({ deleted: ['b1'] })
      await session.redo()
      await session.branch('b1')
      await session.undo({ editId: edit.id })
      expect(session.leafId).toBe('q1')
    })

    test('G2 undo without a name takes what the caller added', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      await session.append(compaction('c1', 'q1'), { undoable: { ...splice, by: 'ann' } })
      await expect(session.undo()).rejects.toMatchObject({ code: 'nothing_to_undo' })
      await session.undo({ by: 'ann' })
      expect(session.leafId).toBe('a1')
    })

    test('an answer that was announced can be undone once it has ended', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      await session.append(generation('a1'))
      await session.append(assistant('done', 'a1'), { leaf: { ifAt: 'a1' }, undoable: refuse })
      await session.undo()
      expect(trunkOf(session)).toEqual(['q1'])
      expect(trunkOf(await (await given.reopen()).open(session.id))).toEqual(['q1'])
    })

    test('where there is no node there is nothing to undo, and no line says so', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      const { seq } = session
      await session.append({ type: 'label', targetId: 'q1', label: 'x' }, { undoable: splice })
      await session.append(model('m'), { undoable: splice })
      expect(session.seq).toBe(seq + 2)
    })

    test.each([{}, { leaf: 'stay' }, { leaf: { ifAt: 'q1' } }] as const)(
      'D3 a retry with %j is one edit still, moves nothing, and comes too late once it was undone',
      async (leaf) => {
        await using given = await openGiven(options)
        const session = await given.store.create()
        await converse(session, 'q1')
        const add = (to: Session) => to.append(assistant('yes', 'a1'), { ...leaf, parentId: 'q1', undoable: splice })
        await add(session)
        const { seq, leafId } = session
        const other = await (await given.reopen()).open(session.id)
        expect([(await add(session)).id, (await add(other)).id]).toEqual(['a1', 'a1'])
        expect([session.seq, other.seq]).toEqual([seq, seq])
        expect([session.leafId, other.leafId]).toEqual([leafId, leafId])
        await session.undo()
        const undone = session.seq
        await add(session)
        expect([session.seq, session.leafId]).toEqual([undone, 'q1'])
        await expect(session.undo()).rejects.toMatchObject({ code: 'nothing_to_undo' })
      },
    )

    test('D4 of a chain that was begun the rest is added, and all of it is one edit', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      const chain = [assistant('1', 'x1'), user('2', 'x2')]
      // As a crash leaves it: the first entry of the write is there, the edit behind them is not.
      await session.append(chain[0]!)
      const other = await (await given.reopen()).open(session.id)
      await other.appendAll(chain, { parentId: 'q1', undoable: splice })
      expect(trunkOf(other)).toEqual(['q1', 'x1', 'x2'])
      await other.undo()
      expect(trunkOf(other)).toEqual(['q1'])
      expect(trunkOf(await (await given.reopen()).open(session.id))).toEqual(['q1'])
    })

    test('D4 a retry writes the edit that a crash has lost, once, and leaves every leaf where it is', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      await session.branch('q1')
      const other = await (await given.reopen()).open(session.id)
      for (let i = 0; i < 2; i++) await other.append(assistant('says a1', 'a1'), { parentId: 'q1', undoable: refuse })
      expect(other.seq).toBe(session.seq + 1)
      expect([other.leafId, (await (await given.reopen()).open(session.id)).leafId]).toEqual(['q1', 'q1'])
      await other.undo()
      expect(lookAt(other.tree).deleted).toEqual(['a1'])
    })

    test('D3 other content under the same id is refused, and no edit is written', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      const { seq } = session
      await expect(session.append(user('other', 'q1'), { undoable: splice })).rejects.toMatchObject({
        code: 'id_in_use',
      })
      expect(session.seq).toBe(seq)
    })

    test('G2 under a copy it is added and undone like anywhere', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      const idMap = { q1: 'k1', a1: 'k2' }
      await session.edit({ operations: [{ op: 'graft', sourceId: 'q1', targetId: 'a1', mode: 'copy', idMap }] })
      await session.branch('k2')
      const before = await bytes(session)
      await session.append(compaction('c1', 'k1'), { undoable: splice })
      expect(trunkOf(session)).toEqual(['q1', 'a1', 'k1', 'k2', 'c1'])
      await session.undo()
      expect(session.leafId).toBe('k2')
      expect(await bytes(session)).toBe(before)
      expect((await (await given.reopen()).open(session.id)).leafId).toBe('k2')
      await session.redo()
      expect(trunkOf(await (await given.reopen()).open(session.id))).toEqual(['q1', 'a1', 'k1', 'k2', 'c1'])
    })
  })
}

async function bytes(session: Session): Promise<string> {
  return JSON.stringify(await session.line())
}
