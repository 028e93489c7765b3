import { describe, expect, test } from 'vitest'
import type { Session } from '../session/session.ts'
import { type ContractOptions, type Given, openGiven } from './given.ts'
import { entriesOf, idsOf, trunkOf } from './look.ts'
import { assistant, converse, generation, model, user } from './say.ts'

export function leafMovesContract(options: ContractOptions): void {
  describe('leaf moves', () => {
    test('stay: an entry is written elsewhere and the leaf stays, also for those who open next', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1', 'q2')
      await session.append(assistant('other', 'b1'), { parentId: 'q1', leaf: 'stay' })
      expect(await session.readEntry('b1')).toMatchObject({ parentId: 'q1' })
      expect(await leaves(given, session)).toEqual(['q2', 'q2'])
    })

    test('stay: with no leaf yet there is none afterwards', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await session.append(user('apart', 'r1'), { leaf: 'stay' })
      expect(await leaves(given, session)).toEqual([null, null])
      expect(await session.append(user('root', 'r2'))).toMatchObject({ parentId: null })
    })

    test('stay: what leaves the leaf alone by itself costs no line to set it back', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      const { seq } = session
      const attempt = { type: 'custom', id: 't1', customType: 'treeline/attempt', data: { toolCallId: 'c1' } }
      await session.append(attempt, { parentId: 'a1', leaf: 'stay' })
      expect(session.seq).toBe(seq + 1)
      expect(await leaves(given, session)).toEqual(['a1', 'a1'])
    })

    test('leafAfter counts before leaf', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      await session.append(user('x', 'x1'), { leaf: 'stay', leafAfter: 'q1' })
      expect(await leaves(given, session)).toEqual(['q1', 'q1'])
    })

    test('ifAt: from that node the leaf goes along, from anywhere else it stays', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1', 'q2')
      await session.append(assistant('not there', 'b1'), { parentId: 'q1', leaf: { ifAt: 'q1' } })
      expect(await leaves(given, session)).toEqual(['q2', 'q2'])
      await session.append(assistant('there', 'a2'), { parentId: 'q2', leaf: { ifAt: 'q2' } })
      expect(await leaves(given, session)).toEqual(['a2', 'a2'])
      await session.append(assistant('to elsewhere', 'b2'), { parentId: 'q1', leaf: { ifAt: 'a2' } })
      expect(await leaves(given, session)).toEqual(['b2', 'b2'])
      await session.append(user('nobody is there', 'x1'), { leaf: { ifAt: 'nobody' } })
      expect(await leaves(given, session)).toEqual(['b2', 'b2'])
      expect(await session.readEntry('x1')).toMatchObject({ parentId: 'b2' })
    })

    test('ifAt: a change of model in between is no other place, and the entry hangs under it', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      await session.append(model('big', 'm1'))
      await session.append(assistant('answer', 'a1'), { parentId: 'q1', leaf: { ifAt: 'q1' } })
      expect(await session.readEntry('a1')).toMatchObject({ parentId: 'm1' })
      expect(trunkOf(session)).toEqual(['q1', 'a1'])
      expect((await session.context()).models).toMatchObject({ default: 'test/big' })
      expect(await leaves(given, session)).toEqual(['a1', 'a1'])
    })

    test('ifAt: null is above the roots, where a change of model may stand too', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await session.append(user('first', 'r1'), { leaf: { ifAt: null } })
      expect(session.leafId).toBe('r1')
      await session.append(user('second', 'r2'), { parentId: null, leaf: { ifAt: null } })
      expect(await leaves(given, session)).toEqual(['r1', 'r1'])
      await session.resetLeaf()
      await session.append(model('big', 'm1'))
      await session.append(user('third', 'r3'), { parentId: null, leaf: { ifAt: null } })
      expect(await session.readEntry('r3')).toMatchObject({ parentId: 'm1' })
      expect(await leaves(given, session)).toEqual(['r3', 'r3'])
    })

    test('ifAt: a copy is a place like any other, with and without a line that moved there', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      await session.append(user('apart', 'r2'), { parentId: null })
      const idMap = { q1: 'k1', a1: 'k2' }
      await session.edit({ operations: [{ op: 'graft', sourceId: 'q1', targetId: 'r2', mode: 'copy', idMap }] })
      await session.append(user('below', 'x1'), { parentId: 'k2', leaf: { ifAt: 'k2' } })
      expect(await leaves(given, session)).toEqual(['r2', 'r2'])
      await session.branch('k2')
      await session.append(model('big', 'm1'))
      await session.append(user('below', 'x2'), { parentId: 'k2', leaf: { ifAt: 'k2' } })
      expect(trunkOf(session)).toEqual(['r2', 'k1', 'k2', 'x2'])
      expect(trunkOf(await (await given.reopen()).open(session.id))).toEqual(['r2', 'k1', 'k2', 'x2'])
      expect(session.report().problems).toEqual([])
    })

    test.each([['a1'], ['q1']])('ifAt %s: the end of an answer takes the leaf that waits at it', async (ifAt) => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      await session.append(generation('a1'), { parentId: 'q1', leaf: { ifAt: 'q1' } })
      expect(await leaves(given, session)).toEqual(['a1', 'a1'])
      const { seq } = session
      await session.append(assistant('done', 'a1'), { leaf: { ifAt } })
      expect(session.seq).toBe(seq + 1)
      expect(await leaves(given, session)).toEqual(['a1', 'a1'])
    })

    test('the end of an answer leaves a leaf alone that has gone elsewhere, also to another answer', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      await session.append(generation('a1'))
      await session.append(generation('b1'), { parentId: 'q1', leaf: { ifAt: 'q1' } })
      expect(await leaves(given, session)).toEqual(['a1', 'a1'])
      await session.append(assistant('done', 'b1'), { leaf: { ifAt: 'b1' } })
      expect(await leaves(given, session)).toEqual(['a1', 'a1'])
      await session.branch('q1')
      await session.append(assistant('done', 'a1'), { leaf: { ifAt: 'a1' } })
      expect(await leaves(given, session)).toEqual(['q1', 'q1'])
      expect(lastLine(await entriesOf(session))).toMatchObject({ parentId: 'q1' })
    })

    test('stay: a leaf that waits at an answer stays at it, and the line that says so hangs under its message', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      await session.append(generation('a1'))
      await session.appendAll([assistant('done', 'a1'), user('next', 'q2')], { leaf: 'stay' })
      expect(await leaves(given, session)).toEqual(['a1', 'a1'])
      // Other tools go up from the last line: the answer has to be on that way.
      expect(lastLine(await entriesOf(session))).toMatchObject({ customType: 'treeline/edit', parentId: 'a1' })
    })

    test('ifAt: a chain of which the first entries are stored is completed, and takes the leaf along', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q0')
      const chain = [user('1', 'e1'), assistant('2', 'e2'), user('3', 'e3')]
      await session.appendAll(chain.slice(0, 2), { leaf: { ifAt: 'q0' } })
      const other = await (await given.reopen()).open(session.id)
      await other.appendAll(chain, { parentId: 'q0', leaf: { ifAt: 'q0' } })
      expect(trunkOf(other)).toEqual(['q0', 'e1', 'e2', 'e3'])
      expect(await leaves(given, other)).toEqual(['e3', 'e3'])
    })

    test('C1 each of two sessions is asked for its own leaf', async () => {
      await using given = await openGiven(options)
      const one = await given.store.create()
      await converse(one, 'q1', 'a1')
      const two = await (await given.reopen()).open(one.id)
      await two.branch('q1')
      await two.append(user('side', 's1'), { parentId: 'q1', leaf: { ifAt: 'a1' } })
      expect(two.leafId).toBe('q1')
      await one.append(user('main', 'q2'), { parentId: 'a1', leaf: { ifAt: 'a1' } })
      expect([one.leafId, two.leafId]).toEqual(['q2', 'q1'])
      await two.append(user('side', 's2'), { parentId: 'q1', leaf: 'stay' })
      await one.refresh()
      expect([one.leafId, two.leafId]).toEqual(['q2', 'q1'])
      expect((await idsOf(one)).filter((id) => /^[qas]\d$/.test(id))).toEqual(['q1', 'a1', 's1', 'q2', 's2'])
    })

    test.each(['stay', 'move', { ifAt: 'q1' }] as const)('D3 a retry with %j moves nothing', async (leaf) => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      await session.append(assistant('yes', 'a1'), { leaf })
      await converse(session, 'q2', 'a2')
      await session.branch('q2')
      const { seq } = session
      await session.append(assistant('yes', 'a1'), { leaf })
      const other = await (await given.reopen()).open(session.id)
      await other.append(assistant('yes', 'a1'), { leaf, parentId: 'q1' })
      expect(other.seq).toBe(seq)
      expect([session.leafId, other.leafId]).toEqual(['q2', 'q2'])
    })
  })
}

const lastLine = (entries: readonly unknown[]): unknown => entries.at(-1)

/** Of this session, and of one that opens now. */
async function leaves(given: Given, session: Session): Promise<(string | null)[]> {
  return [session.leafId, (await (await given.reopen()).open(session.id)).leafId]
}
