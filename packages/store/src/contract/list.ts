import { describe, expect, test } from 'vitest'
import { type ContractOptions, openGiven } from './given.ts'
import { nextMillisecond } from './next-millisecond.ts'
import { assistant, converse, model, user } from './say.ts'

export function listContract(options: ContractOptions): void {
  describe('list', () => {
    test('S34 an empty store lists nothing', async () => {
      await using given = await openGiven(options)
      expect(await given.store.list()).toEqual([])
    })

    test('X13, S34 a summary has name, first prompt and counts of messages and entries', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create({ cwd: '/p', parentSession: 'lineage' })
      await session.append(model('m'))
      await session.append(assistant('Welcome'))
      await session.append(user('Why is the sky blue?'))
      await session.append(user('And grass?'))
      await session.rename('Colours')
      await session.setConfig({ approvalMode: 'yolo' })
      const [summary, ...rest] = await (await given.reopen()).list()
      expect(rest).toEqual([])
      expect(summary).toMatchObject({
        id: session.id,
        path: session.path,
        cwd: '/p',
        parentSession: 'lineage',
        name: 'Colours',
        firstPrompt: 'Why is the sky blue?',
        messageCount: 3,
        entryCount: 6,
        createdAt: session.header.timestamp,
      })
      expect(summary!.sizeBytes).toBeGreaterThan(0)
    })

    test('X72 the session that was active last is first', async () => {
      await using given = await openGiven(options)
      const ids: string[] = []
      for (let i = 0; i < 4; i++) {
        const session = await given.store.create({ cwd: `/p${i % 2}` })
        await session.append(user(`${i}`))
        ids.push(session.id)
        await nextMillisecond()
      }
      await (await given.store.open(ids[1]!)).append(user('again'))
      const other = await given.reopen()
      expect((await other.list()).map(({ id }) => id)).toEqual([ids[1], ids[3], ids[2], ids[0]])
      expect((await other.list({ cwd: '/p0' })).map(({ id }) => id)).toEqual([ids[2], ids[0]])
      expect(await other.list({ cwd: '/p' })).toEqual([])
    })

    test('S34 the list of a project has no session of another whose folder has the same name', async () => {
      await using given = await openGiven(options)
      const ids = []
      for (const cwd of ['/a/b', '/a-b']) ids.push((await given.store.create({ cwd })).id)
      expect((await given.store.list({ cwd: '/a/b' })).map(({ id }) => id)).toEqual([ids[0]])
      expect((await given.store.list({ cwd: '/a-b' })).map(({ id }) => id)).toEqual([ids[1]])
      expect(await given.store.list()).toHaveLength(2)
    })

    test('S27 a prompt without an answer is listed', async () => {
      await using given = await openGiven(options)
      await (await given.store.create()).append(user('anybody there?'))
      expect(await (await given.reopen()).list()).toMatchObject([{ firstPrompt: 'anybody there?', messageCount: 1 }])
    })

    test('a name taken back by undo is taken back in the list', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      await session.rename('One')
      await session.rename('Two')
      await session.undo()
      expect(await (await given.reopen()).list()).toMatchObject([{ name: 'One' }])
      await session.undo()
      expect((await (await given.reopen()).list())[0]!.name).toBeUndefined()
    })
  })
}
