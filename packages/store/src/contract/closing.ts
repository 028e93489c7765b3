import { describe, expect, test } from 'vitest'
import { type ContractOptions, openGiven } from './given.ts'
import { idsOf } from './look.ts'
import { converse, user } from './say.ts'

export function closingContract(options: ContractOptions): void {
  describe('closing', () => {
    test('X7 close writes what waits: nothing asked for before it is lost', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const image = { type: 'image', data: Buffer.alloc(9000, 1).toString('base64'), mimeType: 'image/png' }
      const waiting = [
        session.append(user('1', 'e1')),
        session.append({ type: 'message', id: 'e2', message: { role: 'user', content: [image], timestamp: 1 } }),
        session.append(user('3', 'e3')),
        session.setLabel('e1', 'x'),
      ]
      await session.close()
      await Promise.all(waiting)
      const other = await (await given.reopen()).open(session.id)
      expect((await idsOf(other)).slice(0, 3)).toEqual(['e1', 'e2', 'e3'])
      expect(other.tree.edits.labels.size).toBe(1)
    })

    test('X7 closing the store writes what waits in all its sessions', async () => {
      await using given = await openGiven(options)
      const sessions = await Promise.all([1, 2, 3].map(() => given.store.create()))
      const waiting = sessions.flatMap((session) => [session.append(user('1', 'e1')), session.append(user('2', 'e2'))])
      await given.store.close()
      await Promise.all(waiting)
      const other = await given.reopen()
      for (const { id } of sessions) expect(await idsOf(await other.open(id))).toEqual(['e1', 'e2'])
    })

    test('flush resolves when everything asked for so far can be read by others', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const image = { type: 'image', data: Buffer.alloc(9000, 2).toString('base64'), mimeType: 'image/png' }
      const waiting = [
        session.append({ type: 'message', id: 'e1', message: { role: 'user', content: [image], timestamp: 1 } }),
        session.append(user('2', 'e2')),
      ]
      await session.flush()
      expect(await idsOf(await (await given.reopen()).open(session.id))).toEqual(['e1', 'e2'])
      await Promise.all(waiting)
    })

    test('X7 close waits for what was asked for once more', async () => {
      await using given = await openGiven(options)
      const ids = Array.from({ length: 12 }, (_, i) => `e${i}`)
      const chain = ids.map((id) => user(id, id))
      const { id } = await given.store.create()
      await (await given.store.open(id)).appendAll(chain)
      for (const more of [[], [user('more', 'more')]]) {
        const session = await (await given.reopen()).open(id)
        const again = session.appendAll([...chain, ...more])
        await session.close()
        expect(await again).toHaveLength(12 + more.length)
      }
      expect(await idsOf(await given.store.open(id))).toEqual([...ids, 'more'])
    })

    test('flush and close wait for nobody who goes on writing', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const other = await given.store.open(session.id)
      let isOver = false
      const writeOn = async (): Promise<void> => {
        while (!isOver) await other.append(user('more'))
      }
      const writing = [writeOn(), writeOn()]
      const own = session.append(user('own', 'e1'))
      await session.flush()
      await session.close()
      isOver = true
      expect(await own).toMatchObject({ id: 'e1' })
      await Promise.all(writing)
    })

    test('R2 a closed session refuses every change with a coded error; closing twice is fine', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      await session.close()
      await session.close()
      const closed = { code: 'bad_request' }
      await expect(session.append(user('late'))).rejects.toMatchObject(closed)
      await expect(session.edit({ operations: [{ op: 'mute', nodeIds: ['q1'] }] })).rejects.toMatchObject(closed)
      await expect(session.branch('q1')).rejects.toMatchObject(closed)
      await expect(session.undo()).rejects.toMatchObject(closed)
      await expect(session.rename('x')).rejects.toMatchObject(closed)
      await expect(session.readEntry('q1')).rejects.toMatchObject(closed)
      await expect(session.line()).rejects.toMatchObject(closed)
      await expect(session.refresh()).rejects.toMatchObject(closed)
      await expect(given.store.fork(session)).rejects.toMatchObject(closed)
      expect(await idsOf(await given.store.open(session.id))).toEqual(['q1'])
    })

    test('R2 closing a store while a session is being opened leaves none open', async () => {
      await using given = await openGiven(options)
      const { id } = await given.store.create()
      const other = await given.reopen()
      const opening = Promise.allSettled([other.open(id), other.create(), other.open(id)])
      await other.close()
      for (const result of await opening) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ name: 'TreelineError' })
        else await expect(result.value.append(user('late'))).rejects.toMatchObject({ code: 'bad_request' })
      }
    })

    test('R2 a closed store refuses every request with a coded error; closing twice is fine', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      const blob = await given.store.putBlob(Buffer.from('kept'))
      await given.store.close()
      await given.store.close()
      const closed = { code: 'bad_request' }
      await expect(given.store.open(session.id)).rejects.toMatchObject(closed)
      await expect(given.store.create({ cwd: '/left-behind' })).rejects.toMatchObject(closed)
      await expect(given.store.fork(session)).rejects.toMatchObject(closed)
      await expect(given.store.openPath(session.path)).rejects.toMatchObject(closed)
      await expect(given.store.forkFrom(session.path)).rejects.toMatchObject(closed)
      await expect(given.store.continueRecent({ cwd: '/left-behind' })).rejects.toMatchObject(closed)
      await expect(given.store.list()).rejects.toMatchObject(closed)
      await expect(given.store.exists(session.id)).rejects.toMatchObject(closed)
      await expect(given.store.putBlob(Buffer.from('late'))).rejects.toMatchObject(closed)
      await expect(given.store.readBlob(blob)).rejects.toMatchObject(closed)
      await expect(session.append(user('late'))).rejects.toMatchObject(closed)
      const other = await given.reopen()
      expect(await other.list()).toHaveLength(1)
    })
  })
}
