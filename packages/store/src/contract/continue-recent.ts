import { describe, expect, test } from 'vitest'
import { type ContractOptions, openGiven } from './given.ts'
import { nextMillisecond } from './next-millisecond.ts'
import { user } from './say.ts'

export function continueRecentContract(options: ContractOptions): void {
  describe('continueRecent', () => {
    test('S25, X72 the session of this project with the latest event goes on, with or without a prompt in it', async () => {
      await using given = await openGiven(options)
      const { store } = given
      const first = await store.create({ cwd: '/a/b' })
      await nextMillisecond()
      const second = await store.create({ cwd: '/a/b' })
      await nextMillisecond()
      await (await store.create({ cwd: '/a-b' })).append(user('of a project whose folder has the same name'))
      const other = await given.reopen()
      expect((await other.continueRecent({ cwd: '/a/b' })).id).toBe(second.id)
      await nextMillisecond()
      await first.append(user('again', 'e1'))
      const session = await other.continueRecent({ cwd: '/a/b' })
      expect([session.id, session.leafId]).toEqual([first.id, 'e1'])
      await session.append(user('and on', 'e2'))
      expect(await first.readEntry('e2')).toBeUndefined()
      await first.refresh()
      expect(await first.readEntry('e2')).toMatchObject({ parentId: 'e1' })
      expect(await store.list()).toHaveLength(3)
    })

    test('S25 in a project without sessions a new one begins', async () => {
      await using given = await openGiven(options)
      const session = await given.store.continueRecent({ cwd: '/new' })
      expect(session.header.cwd).toBe('/new')
      expect((await (await given.reopen()).continueRecent({ cwd: '/new' })).id).toBe(session.id)
    })

    test('S34 the preferred session wins when it exists, by id or by path', async () => {
      await using given = await openGiven(options)
      const { store } = given
      const older = await store.create({ cwd: '/p' })
      await nextMillisecond()
      const newer = await store.create({ cwd: '/p' })
      const continued = async (wanted: string | undefined) =>
        (await store.continueRecent({ cwd: '/p', preferred: async () => wanted })).id
      expect(await continued(older.id)).toBe(older.id)
      expect(await continued(older.path)).toBe(older.id)
      expect(await continued('gone')).toBe(newer.id)
      expect(await continued(`${older.path}.gone.jsonl`)).toBe(newer.id)
      expect(await continued(undefined)).toBe(newer.id)
    })
  })
}
