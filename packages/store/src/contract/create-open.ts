import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ContractOptions, openGiven } from './given.ts'
import { entriesOf } from './look.ts'
import { converse, user } from './say.ts'

export function createOpenContract(options: ContractOptions): void {
  describe('create and open', () => {
    test('S4 a new session has the header it was asked for and no entries', async () => {
      await using given = await openGiven(options)
      const { store } = given
      const session = await store.create({ cwd: '/some/project', title: 'A title', parentSession: 'anything at all' })
      expect(session.header).toMatchObject({
        type: 'session',
        version: 3,
        id: session.id,
        cwd: '/some/project',
        title: 'A title',
        parentSession: 'anything at all',
      })
      expect(session.name).toBe('A title')
      expect(session.leafId).toBeNull()
      expect(await entriesOf(session)).toEqual([])
      expect(session.access).toEqual({ mode: 'write' })
    })

    test('X17 ids are UUIDv7, and an id that exists is refused', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      expect(session.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      await converse(session, 'q1')
      await expect(given.store.create({ id: session.id, cwd: '/elsewhere' })).rejects.toMatchObject({
        code: 'id_in_use',
      })
      const other = await given.reopen()
      await expect(other.create({ id: session.id })).rejects.toMatchObject({ code: 'id_in_use' })
      expect((await entriesOf(await other.open(session.id))).map(({ id }) => id)).toEqual(['q1'])
    })

    test('X17 of many that make the same id at once one succeeds', async () => {
      await using given = await openGiven(options)
      const other = await given.reopen()
      const making = [given.store, other, given.store, other].map((store, i) =>
        store.create({ id: 'same', cwd: `/p${i % 3}` }),
      )
      const results = await Promise.allSettled(making)
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'id_in_use' })
      }
      expect(await given.store.list()).toHaveLength(1)
    })

    test('D1 a session is there for others as soon as create resolves', async () => {
      await using given = await openGiven(options)
      const { id } = await given.store.create({ cwd: '/p' })
      const other = await given.reopen()
      expect(await other.exists(id)).toBe(true)
      expect((await other.open(id)).header.cwd).toBe('/p')
    })

    test('D1 an acknowledged entry is there for whoever opens next, as it was', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const first = await session.append(user('hello'))
      const second = await session.append({ type: 'unheard_of', payload: { b: 1, a: [null, true] } })
      const other = await (await given.reopen()).open(session.id)
      expect(await entriesOf(other)).toMatchObject([first, second])
      expect(await other.readEntry(second.id)).toMatchObject({ payload: { b: 1, a: [null, true] } })
      expect(other.leafId).toBe(second.id)
    })

    test('S18 an unknown id is session_not_found and nothing is made of it', async () => {
      await using given = await openGiven(options)
      const id = '01990000-0000-7000-8000-000000000000'
      await expect(given.store.open(id)).rejects.toMatchObject({ code: 'session_not_found' })
      expect(await given.store.exists(id)).toBe(false)
      expect(await given.store.list()).toEqual([])
    })

    test('S18 a path where nothing is becomes a session when that is asked for, for good and for all', async () => {
      await using given = await openGiven(options)
      const path = join(dirname((await given.store.create({ cwd: '/p' })).path), 'mine.jsonl')
      await expect(given.store.openPath(path)).rejects.toMatchObject({ code: 'session_not_found' })
      await expect(given.store.openPath(path, { create: true, readOnly: true })).rejects.toMatchObject({
        code: 'session_not_found',
      })
      expect(await given.store.list()).toHaveLength(1)
      const session = await given.store.openPath(path, { create: { cwd: '/p', title: 'Mine' } })
      expect(session).toMatchObject({ path, id: 'mine', name: 'Mine', access: { mode: 'write' }, leafId: null })
      await session.append(user('hello', 'e1'))
      const other = await given.reopen()
      expect((await entriesOf(await other.openPath(path))).map(({ id }) => id)).toEqual(['e1'])
      expect((await entriesOf(await other.open('mine'))).map(({ id }) => id)).toEqual(['e1'])
      expect((await other.list({ cwd: '/p' })).map(({ id }) => id)).toContain('mine')
    })

    test('S18 a path where something is stays as it is, asked or not', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create({ cwd: '/p' })
      await converse(session, 'q1', 'a1')
      const other = await given.reopen()
      const opened = await other.openPath(session.path, { create: { cwd: '/q', title: 'Other' } })
      expect(opened.header).toEqual(session.header)
      expect((await entriesOf(opened)).map(({ id }) => id)).toEqual(['q1', 'a1'])
      expect(await other.list()).toHaveLength(1)
    })

    test('S18 of many that begin a session at one path at once all get the same one', async () => {
      await using given = await openGiven(options)
      const dir = dirname((await given.store.create({ cwd: '/p' })).path)
      const stores = [given.store, await given.reopen(), await given.reopen()]
      for (const name of ['mine', 'no id']) {
        const path = join(dir, `${name}.jsonl`)
        const opening = stores.map((store) => store.openPath(path, { create: true }))
        const sessions = await Promise.all(opening)
        expect(new Set(sessions.map(({ id }) => id)).size).toBe(1)
        await Promise.all(sessions.map((session, i) => session.append(user('hello', `e${i}`))))
        const entries = await entriesOf(await (await given.reopen()).openPath(path))
        expect(entries.map(({ id }) => id).sort()).toEqual(['e0', 'e1', 'e2'])
      }
      expect(await given.store.list()).toHaveLength(3)
    })

    test('S18 no session begins in a missing folder, under another ending, or with an id that is taken', async () => {
      await using given = await openGiven(options)
      const { path, id } = await given.store.create({ cwd: '/p' })
      const { path: elsewhere } = await given.store.create({ cwd: '/q' })
      const refused = {
        [join(dirname(dirname(path)), 'missing', 'mine.jsonl')]: 'validation_failed',
        [join(path, 'mine.jsonl')]: 'validation_failed',
        [join(dirname(path), 'notes.md')]: /validation_failed|forbidden/,
        [join(dirname(elsewhere), `2026_${id}.jsonl`)]: 'id_in_use',
      }
      for (const [place, code] of Object.entries(refused)) {
        await expect(given.store.openPath(place, { create: true }), place).rejects.toMatchObject({
          code: expect.stringMatching(code),
        })
        await expect(given.store.openPath(place), place).rejects.toMatchObject({ code: expect.any(String) })
      }
      expect(await given.store.list()).toHaveLength(2)
    })

    test.each(['../../etc/passwd', '/etc/passwd', 'a/b', '', '.', '..', 'a\0b', '-rf', 'x'.repeat(200)])(
      'K3 %j is neither opened nor created as a session',
      async (id) => {
        await using given = await openGiven(options)
        await expect(given.store.open(id)).rejects.toMatchObject({ code: 'session_not_found' })
        await expect(given.store.create({ id })).rejects.toMatchObject({ code: 'validation_failed' })
        expect(await given.store.exists(id)).toBe(false)
      },
    )

    test('K3 whatever the working directory is called, its sessions are found again', async () => {
      await using given = await openGiven(options)
      const cwds = [
        '/a/../../b',
        '/',
        '',
        '..',
        '/ünï/código 🦊',
        `/${'long/'.repeat(200)}`,
        'C:\\Users\\me',
        '/with\nline end',
      ]
      for (const cwd of cwds) {
        const session = await given.store.create({ cwd })
        await session.append(user(cwd))
      }
      const other = await given.reopen()
      expect((await other.list()).map(({ cwd }) => cwd).sort()).toEqual([...cwds].sort())
      for (const cwd of cwds) expect((await other.list({ cwd })).map((found) => found.cwd)).toContain(cwd)
    })

    test('a session opened read-only can be read and refuses to write', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      const reading = await given.store.open(session.id, { readOnly: true })
      expect(reading.access).toEqual({ mode: 'read', reason: 'asked' })
      await expect(reading.append(user('no'))).rejects.toMatchObject({ code: 'forbidden' })
      await converse(session, 'q2')
      await reading.refresh()
      expect((await entriesOf(reading)).map(({ id }) => id)).toEqual(['q1', 'q2'])
    })

    test('sessions opened twice in one store see each other and keep their own leaf', async () => {
      await using given = await openGiven(options)
      const first = await given.store.create()
      await converse(first, 'q1', 'a1')
      const second = await given.store.open(first.id)
      await first.branch('q1')
      expect([first.leafId, second.leafId]).toEqual(['q1', 'a1'])
      await first.append(user('other', 'x1'))
      await second.append(user('next', 'q2'))
      expect(await second.readEntry('x1')).toMatchObject({ parentId: 'q1' })
      expect(await first.readEntry('q2')).toMatchObject({ parentId: 'a1' })
      await first.close()
      await second.append(user('still open', 'q3'))
      expect(second.leafId).toBe('q3')
    })
  })
}
