import { describe, expect, test } from 'vitest'
import { type ContractOptions, openGiven } from './given.ts'
import { entriesOf, idsOf, lookAt, trunkOf } from './look.ts'
import { converse, model, user } from './say.ts'

export function twoWritersContract(options: ContractOptions): void {
  describe('two writers', () => {
    test('C1 all acknowledged entries of two stores are kept, in one order that both see, as sibling branches', async () => {
      await using given = await openGiven(options)
      const one = await given.store.create()
      await converse(one, 'q1', 'a1')
      const two = await (await given.reopen()).open(one.id)
      const write = (session: typeof one, name: string) =>
        Promise.all(Array.from({ length: 25 }, (_, i) => session.append(user(`${i}`, `${name}${i}`))))
      const acknowledged = (await Promise.all([write(one, 'x'), write(two, 'y')])).flat()
      await Promise.all([one.refresh(), two.refresh()])
      const entries = await entriesOf(one)
      expect(await entriesOf(two)).toEqual(entries)
      expect(new Set(entries.map(({ id }) => id))).toEqual(new Set(['q1', 'a1', ...acknowledged.map(({ id }) => id)]))
      for (const [session, name] of [
        [one, 'x'],
        [two, 'y'],
      ] as const) {
        expect(trunkOf(session)).toEqual(['q1', 'a1', ...Array.from({ length: 25 }, (_, i) => `${name}${i}`)])
      }
      expect(lookAt(one.tree)).toEqual(lookAt(two.tree))
      expect([...lookAt(one.tree).nodes.a1!.children].sort()).toEqual(['x0', 'y0'])
      const third = await (await given.reopen()).open(one.id)
      expect(await entriesOf(third)).toEqual(entries)
      expect(third.leafId).toBe(entries.at(-1)!.id)
    })

    test("C1 a writer sees the other's entries with its own next append, without being asked to refresh", async () => {
      await using given = await openGiven(options)
      const one = await given.store.create()
      const two = await (await given.reopen()).open(one.id)
      await converse(one, 'q1', 'a1')
      expect(await two.append(user('other', 'x1'))).toMatchObject({ parentId: null })
      expect(await idsOf(two)).toEqual(['q1', 'a1', 'x1'])
      await two.branch('a1')
      await two.append(user('joined', 'x2'))
      expect(await one.append(user('next', 'q2'))).toMatchObject({ parentId: 'a1' })
      expect(lookAt(one.tree).nodes.a1!.children).toEqual(['x2', 'q2'])
    })

    test('C1 opening a session that is open already shows what others have appended since', async () => {
      await using given = await openGiven(options)
      const one = await given.store.create()
      await converse(one, 'q1', 'a1')
      const reader = await given.store.open(one.id, { readOnly: true })
      const two = await (await given.reopen()).open(one.id)
      await two.append(user('since', 'q2'))
      const again = await given.store.open(one.id)
      expect([again.leafId, await idsOf(again)]).toEqual(['q2', ['q1', 'a1', 'q2']])
      const readAgain = await given.store.open(one.id, { readOnly: true })
      expect([readAgain.leafId, one.leafId, reader.leafId]).toEqual(['q2', 'a1', 'a1'])
    })

    test('C1 each writer keeps its own leaf whatever the other does', async () => {
      await using given = await openGiven(options)
      const one = await given.store.create()
      await converse(one, 'q1', 'a1', 'q2', 'a2')
      const two = await (await given.reopen()).open(one.id)
      await two.branch('q1')
      await one.refresh()
      expect([one.leafId, two.leafId]).toEqual(['a2', 'q1'])
      await one.append(user('x', 'q3'))
      await two.refresh()
      expect([one.leafId, two.leafId]).toEqual(['q3', 'q1'])
    })

    test('C1 one that follows goes where the other goes on, until it goes its own way', async () => {
      await using given = await openGiven(options)
      const one = await given.store.create()
      await converse(one, 'q1', 'a1')
      const two = await (await given.reopen()).open(one.id)
      two.followLeaf()
      const leafOfTwo = async () => {
        await two.refresh()
        return two.leafId
      }
      await converse(one, 'q2', 'a2')
      expect(await leafOfTwo()).toBe('a2')
      await one.branch('a1')
      expect(await leafOfTwo()).toBe('a1')
      // What moves no leaf is no way of its own.
      await two.setLabel('a2', 'kept')
      await two.append(user('beside', 'b1'), { parentId: 'q1', leaf: 'stay' })
      await one.branch('a2')
      expect(await leafOfTwo()).toBe('a2')
      expect(await two.append(user('own', 'x1'))).toMatchObject({ parentId: 'a2' })
      await one.append(user('beside that', 'q3'))
      expect([await leafOfTwo(), one.leafId]).toEqual(['x1', 'q3'])
      expect(lookAt(two.tree).nodes.a2!.children).toEqual(['x1', 'q3'])
    })

    test('C1 one that follows and went its own way goes along with who goes on from there, and not down what was there', async () => {
      await using given = await openGiven(options)
      const one = await given.store.create()
      await converse(one, 'q1', 'a1', 'q2', 'a2')
      const two = await (await given.reopen()).open(one.id)
      two.followLeaf()
      await two.branch('a1')
      await one.setLabel('a2', 'here')
      await two.refresh()
      expect(two.leafId).toBe('a1')
      const third = await (await given.reopen()).open(one.id)
      await third.append(user('on', 'q3'), { parentId: 'a1' })
      await third.append(model('other', 'm1'))
      await two.refresh()
      expect(two.leafId).toBe('m1')
      await third.branch('q1')
      await two.refresh()
      expect(two.leafId).toBe('q1')
    })

    test('C1 edits of two stores at once: both count, and both stores see the same tree', async () => {
      await using given = await openGiven(options)
      const one = await given.store.create()
      await converse(one, 'q1', 'a1', 'q2', 'a2', 'q3', 'a3')
      const two = await (await given.reopen()).open(one.id)
      const results = await Promise.allSettled([
        one.edit({ operations: [{ op: 'graft', sourceId: 'q3', targetId: 'q1' }] }),
        two.edit({ operations: [{ op: 'graft', sourceId: 'q2', targetId: 'a3' }] }),
        one.edit({ operations: [{ op: 'delete', nodeIds: ['q3'] }] }),
        two.edit({ operations: [{ op: 'mute', nodeIds: ['q3'] }] }),
        one.rename('one'),
        two.rename('two'),
      ])
      // Which come first is anybody's guess; whether they fit is judged on the tree as it then is.
      expect(results.slice(4).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
      await Promise.all([one.refresh(), two.refresh()])
      expect(lookAt(one.tree)).toEqual(lookAt(two.tree))
      const third = await (await given.reopen()).open(one.id)
      expect(lookAt(third.tree)).toEqual(lookAt(one.tree))
      expect(third.report().problems).toEqual([])
    })

    test('C1, D3 two stores retrying the same id at once write it once', async () => {
      await using given = await openGiven(options)
      const one = await given.store.create()
      const stores = [one, ...(await Promise.all([1, 2, 3].map(async () => (await given.reopen()).open(one.id))))]
      const entries = await Promise.all(stores.map((session) => session.append(user('once', 'mine'))))
      expect(new Set(entries.map(({ timestamp }) => timestamp)).size).toBe(1)
      const third = await (await given.reopen()).open(one.id)
      expect(await idsOf(third)).toEqual(['mine'])
      expect(third.report().problems).toEqual([])
    })

    test('C1 eight stores, each with its own sessions, stay out of each other’s way', async () => {
      await using given = await openGiven(options)
      const stores = [given.store, ...(await Promise.all(Array.from({ length: 7 }, () => given.reopen())))]
      const sessions = await Promise.all(stores.map((store, i) => store.create({ cwd: `/p${i % 2}` })))
      await Promise.all(sessions.map((session, i) => converse(session, `q${i}`, `a${i}`)))
      for (const [i, session] of sessions.entries()) {
        expect(await idsOf(await given.store.open(session.id))).toEqual([`q${i}`, `a${i}`])
      }
      expect(await given.store.list()).toHaveLength(8)
    })
  })
}
