import { describe, expect, test } from 'vitest'
import { type ContractOptions, openGiven } from './given.ts'
import { entriesOf, idsOf, trunkOf } from './look.ts'
import { assistant, converse, custom, generation, model, user } from './say.ts'

export function appendContract(options: ContractOptions): void {
  describe('append', () => {
    test('S19 each entry hangs under the leaf and becomes it; S21 they are listed in that order', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      await session.append(model('m', 'm1'))
      await session.append(custom({ any: 'state' }, 'c1'))
      await converse(session, 'q2')
      expect((await entriesOf(session)).map(({ id, parentId }) => [id, parentId])).toEqual([
        ['q1', null],
        ['a1', 'q1'],
        ['m1', 'a1'],
        ['c1', 'm1'],
        ['q2', 'c1'],
      ])
      expect(session.leafId).toBe('q2')
      expect(trunkOf(session)).toEqual(['q1', 'a1', 'q2'])
    })

    test('S19 labels, names and edits leave the leaf where it is, also after a restart', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      await session.setLabel('q1', 'start')
      await session.rename('A name')
      await session.edit({ operations: [{ op: 'mute', nodeIds: ['q1'] }] })
      await session.append({ type: 'label', targetId: 'a1', label: 'by hand' })
      await session.append({ type: 'session_info', name: 'Another' })
      expect(session.leafId).toBe('a1')
      expect(await session.append(user('next', 'q2'))).toMatchObject({ parentId: 'a1' })
      await session.setConfig({ approvalMode: 'yolo' })
      const other = await (await given.reopen()).open(session.id)
      expect(other.leafId).toBe('q2')
      expect(trunkOf(other)).toEqual(['q1', 'a1', 'q2'])
      expect(other.name).toBe('Another')
    })

    test('X27 a null parent is a new root, not a default', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      expect(await session.append(user('over again', 'r2'), { parentId: null })).toMatchObject({ parentId: null })
      expect(trunkOf(session)).toEqual(['r2'])
      const other = await (await given.reopen()).open(session.id)
      expect(trunkOf(other)).toEqual(['r2'])
    })

    test('X33 an explicit parent counts, wherever the leaf is; one that does not exist is refused', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1', 'q2')
      expect(await session.append(assistant('sibling', 'a1b'), { parentId: 'q1' })).toMatchObject({ parentId: 'q1' })
      expect(session.leafId).toBe('a1b')
      await expect(session.append(user('?'), { parentId: 'nobody' })).rejects.toMatchObject({
        code: 'node_not_found',
        details: { nodeIds: ['nobody'] },
      })
      expect(session.leafId).toBe('a1b')
      expect(await idsOf(session)).toEqual(['q1', 'a1', 'q2', 'a1b'])
    })

    test('an entry with leafAfter is written without moving the leaf, also for those who open next', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1', 'q2')
      await session.append(assistant('elsewhere', 'a1b'), { parentId: 'q1', leafAfter: 'q2' })
      expect(session.leafId).toBe('q2')
      const other = await (await given.reopen()).open(session.id)
      expect(other.leafId).toBe('q2')
      expect(await other.readEntry('a1b')).toMatchObject({ parentId: 'q1' })
    })

    test('D4 entries appended together are one chain', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const drafts = [user('1', 'e1'), { type: 'label', id: 'l1', targetId: 'e1', label: 'x' }, assistant('2', 'e2')]
      const entries = await session.appendAll(drafts)
      expect(entries.map(({ id, parentId }) => [id, parentId])).toEqual([
        ['e1', null],
        ['l1', 'e1'],
        ['e2', 'e1'],
      ])
      expect(session.leafId).toBe('e2')
      expect(await (await (await given.reopen()).open(session.id)).readEntries(['e1', 'e2'])).toMatchObject([
        { id: 'e1' },
        { id: 'e2', parentId: 'e1' },
      ])
    })

    test('S26 64 appends without waiting are one chain in the order of the calls', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const entries = await Promise.all(Array.from({ length: 64 }, (_, i) => session.append(user(`${i}`, `e${i}`))))
      expect(entries.map(({ id, parentId }) => [id, parentId])).toEqual(
        Array.from({ length: 64 }, (_, i) => [`e${i}`, i === 0 ? null : `e${i - 1}`]),
      )
      const other = await (await given.reopen()).open(session.id)
      expect(await idsOf(other)).toEqual(entries.map(({ id }) => id))
      expect(trunkOf(other)).toHaveLength(64)
    })

    test('S26 appends, edits and large entries without waiting keep the order of the calls', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const image = { type: 'image', data: Buffer.alloc(5000, 7).toString('base64'), mimeType: 'image/png' }
      const large = (id: string) => ({ type: 'message', id, message: { role: 'user', content: [image], timestamp: 1 } })
      await Promise.all([
        session.append(user('1', 'e1')),
        session.append(large('e2')),
        session.setLabel('e2', 'with a picture'),
        session.append(user('3', 'e3')),
        session.branch('e1'),
        session.append(large('e4')),
        session.append(user('5', 'e5')),
      ])
      const entries = await entriesOf(session)
      expect(entries.filter(({ type }) => type === 'message').map(({ id, parentId }) => [id, parentId])).toEqual([
        ['e1', null],
        ['e2', 'e1'],
        ['e3', 'e2'],
        ['e4', expect.any(String)],
        ['e5', 'e4'],
      ])
      expect(trunkOf(session)).toEqual(['e1', 'e4', 'e5'])
      expect(session.tree.edits.labels.get('e2')).toMatchObject({ label: 'with a picture' })
    })

    test('S26 a refused entry among many takes none of the others with it, and they stay one chain', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await session.append(user('0', 'e0'))
      let deep: unknown = 'bottom'
      for (let i = 0; i < 70; i++) deep = { deep }
      const results = await Promise.allSettled([
        session.append(user('1', 'e1')),
        session.append(custom(deep, 'bad1')),
        session.append(user('2', 'e2')),
        session.edit({ operations: [{ op: 'mute', nodeIds: ['nobody'] }] }),
        session.append(user('bad', 'bad2'), { parentId: 'nobody' }),
        session.append(user('bad id', '../x')),
        session.append(user('3', 'e3')),
      ])
      expect(results.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'rejected',
        'rejected',
        'rejected',
        'fulfilled',
      ])
      expect((await entriesOf(session)).map(({ id, parentId }) => [id, parentId])).toEqual([
        ['e0', null],
        ['e1', 'e0'],
        ['e2', 'e1'],
        ['e3', 'e2'],
      ])
      const other = await (await given.reopen()).open(session.id)
      expect(trunkOf(other)).toEqual(['e0', 'e1', 'e2', 'e3'])
    })

    test('D3 the same id with the same content returns what is stored and writes nothing', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const draft = custom({ a: 1, b: undefined, c: ['x', { d: null }] }, 'mine')
      const stored = await session.append(draft)
      const { seq } = session
      expect(await session.append(draft)).toEqual(await session.readEntry('mine'))
      expect(await session.append(custom({ c: ['x', { d: null }], a: 1 }, 'mine'))).toMatchObject({ id: 'mine' })
      const other = await (await given.reopen()).open(session.id)
      expect(await other.append(draft)).toMatchObject({ id: 'mine', timestamp: stored.timestamp })
      expect(other.seq).toBe(seq)
      expect(await idsOf(other)).toEqual(['mine'])
    })

    test('D3, I1 a checksum from another line is no part of an entry, nor of its retry', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const draft = { ...custom({ a: 1 }, 'mine'), crc: 'deadbeef' }
      const appended = await session.append(draft)
      expect(appended).toEqual(await session.readEntry('mine'))
      expect(await session.append(draft)).toEqual(appended)
    })

    test('D3 the same large entry again is recognised by what was stored of it', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const draft = user('x'.repeat(600_000), 'long')
      await session.append(draft)
      expect(await session.append(draft)).toMatchObject({ id: 'long' })
      await expect(session.append(user(`${'x'.repeat(600_000)}y`, 'long'))).rejects.toMatchObject({ code: 'id_in_use' })
      expect(await idsOf(session)).toEqual(['long'])
    })

    test('D3 the same id with other content is id_in_use, and nothing is written', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await session.append(user('one', 'mine'))
      const taken = { code: 'id_in_use', details: { nodeIds: ['mine'] } }
      await expect(session.append(user('two', 'mine'))).rejects.toMatchObject(taken)
      const other = await (await given.reopen()).open(session.id)
      await expect(other.append(assistant('one', 'mine'))).rejects.toMatchObject(taken)
      await expect(other.appendAll([user('two', 'mine'), user('three', 'e3')])).rejects.toMatchObject(taken)
      await expect(other.appendAll([user('a', 'twice'), user('b', 'twice')])).rejects.toMatchObject({
        code: 'id_in_use',
      })
      expect(await entriesOf(other)).toMatchObject([{ id: 'mine', message: { content: 'one' } }])
    })

    test('D3 an id that turns out to be in use when its turn comes: nothing of the request is written', async () => {
      await using given = await openGiven(options)
      const one = await given.store.create()
      await one.append(user('root', 'root'))
      const two = await (await given.reopen()).open(one.id)
      await one.append(user('of one', 'a'))
      const chain = [user('of two', 'a'), user('more', 'b'), user('and more', 'c')]
      await expect(two.appendAll(chain)).rejects.toMatchObject({ code: 'id_in_use' })
      expect([two.leafId, await idsOf(two)]).toEqual(['root', ['root', 'a']])
      const [first, second] = await Promise.allSettled([
        one.append(user('first', 'd')),
        one.appendAll([user('second', 'd'), user('more', 'e')]),
      ])
      expect([first?.status, second?.status]).toEqual(['fulfilled', 'rejected'])
      expect([one.leafId, await idsOf(one)]).toEqual(['d', ['root', 'a', 'd']])
    })

    test('D3, D4 a chain of which the beginning is stored already is completed under it', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q0', 'a0')
      const chain = [user('1', 'e1'), assistant('2', 'e2'), user('3', 'e3')]
      await session.appendAll(chain.slice(0, 2), { parentId: 'q0' })
      await session.branch('a0')
      const entries = await session.appendAll(chain, { parentId: 'q0' })
      expect(entries.map(({ id, parentId }) => [id, parentId])).toEqual([
        ['e1', 'q0'],
        ['e2', 'e1'],
        ['e3', 'e2'],
      ])
      const other = await (await given.reopen()).open(session.id)
      expect(trunkOf(other)).toEqual(['q0', 'e1', 'e2', 'e3'])
    })

    test.each(['', '../x', 'a b', 'x'.repeat(200), 'a/b', '__proto__'])(
      'K3 %j is refused as an id of an entry',
      async (id) => {
        await using given = await openGiven(options)
        const session = await given.store.create()
        await expect(session.append({ ...user('x'), id })).rejects.toMatchObject({ code: 'validation_failed' })
        await expect(session.appendAll([user('x', 'fine'), { ...user('x'), id }])).rejects.toMatchObject({
          code: 'validation_failed',
        })
        expect(await idsOf(session)).toEqual([])
        expect(session.leafId).toBeNull()
      },
    )

    test('X33 an entry in hand can be appended: its time is kept, its parent is what the options say', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      const timestamp = '2001-02-03T04:05:06.789Z'
      const entry = (id: string) => ({ ...user(id, id), parentId: 'nobody', timestamp })
      const entries = await session.appendAll([entry('e1'), entry('e2')])
      expect(entries).toMatchObject([
        { parentId: 'a1', timestamp },
        { parentId: 'e1', timestamp },
      ])
      expect(await session.append(entry('e2'))).toMatchObject({ parentId: 'e1', timestamp })
      const other = await (await given.reopen()).open(session.id)
      expect(trunkOf(other)).toEqual(['q1', 'a1', 'e1', 'e2'])
      expect(other.report().problems).toEqual([])
    })

    test('D1 what could not be found again is refused: a second header, an entry without a type', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      for (const type of ['session', undefined as unknown as string, 7 as unknown as string]) {
        await expect(session.append({ type, id: 'e1', version: 3, cwd: '/' })).rejects.toMatchObject({
          code: 'invalid_entry',
        })
      }
      expect(await session.appendAll([])).toEqual([])
      expect(session.seq).toBe(1)
      await session.append({ type: '', id: 'odd' })
      expect(await idsOf(await (await given.reopen()).open(session.id))).toEqual(['odd'])
    })

    test('a chain can be appended under a copy', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      const idMap = { q1: 'k1', a1: 'k2' }
      await session.edit({ operations: [{ op: 'graft', sourceId: 'q1', targetId: null, mode: 'copy', idMap }] })
      await session.appendAll([user('1', 'e1'), assistant('2', 'e2'), user('3', 'e3')], { parentId: 'k2' })
      expect(trunkOf(session)).toEqual(['k1', 'k2', 'e1', 'e2', 'e3'])
      expect(trunkOf(await (await given.reopen()).open(session.id))).toEqual(['k1', 'k2', 'e1', 'e2', 'e3'])
    })

    test('D1 what is appended under a copy is there when what was copied is spliced out', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      const idMap = { q1: 'k1' }
      await session.edit({ operations: [{ op: 'graft', sourceId: 'q1', targetId: 'q1', mode: 'copy', idMap }] })
      await session.edit({ operations: [{ op: 'delete', nodeIds: ['q1'], how: 'splice' }] })
      await session.append(model('big', 'm1'), { parentId: 'k1' })
      await session.append(user('below the copy', 'q2'))
      const other = await (await given.reopen()).open(session.id)
      for (const { tree } of [session, other]) expect(tree.problems()).toEqual([])
      expect([trunkOf(session), trunkOf(other)]).toEqual([
        ['k1', 'q2'],
        ['k1', 'q2'],
      ])
    })

    test('a message that is changed after it was handed over is stored as it was', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const message = { role: 'user', content: [{ type: 'text', text: 'before' }], timestamp: 1 }
      const stored = session.append({ type: 'message', id: 'm1', message })
      message.content[0]!.text = 'after'
      message.role = 'assistant'
      await stored
      const read = await (await given.reopen()).open(session.id)
      expect(await read.readEntry('m1')).toMatchObject({
        message: { role: 'user', content: [{ text: 'before' }] },
      })
    })

    test('seq counts lines: the header is 1, every entry and edit one more', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      expect(session.seq).toBe(1)
      await session.appendAll([user('1'), assistant('2')])
      expect(session.seq).toBe(3)
      await session.rename('x')
      expect(session.seq).toBe(4)
      expect((await (await given.reopen()).open(session.id)).seq).toBe(4)
    })

    test('the end of a generation arrives under the id that was announced', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      const data = { nodeId: 'a1', parentId: 'q1', model: 'test/m' }
      await session.append({ type: 'custom', customType: 'treeline/generation', data })
      expect(await session.readEntry('a1')).toBeUndefined()
      await session.append(assistant('done', 'a1'), { parentId: 'q1' })
      expect(await session.readEntry('a1')).toMatchObject({ id: 'a1', type: 'message' })
      expect(trunkOf(session)).toEqual(['q1', 'a1'])
      expect(trunkOf(await (await given.reopen()).open(session.id))).toEqual(['q1', 'a1'])
    })

    test('T7 of two answers at once the one that ends first leaves the leaf at the other', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      await session.append(generation('a1'))
      await session.append(generation('b1'), { parentId: 'q1', leafAfter: 'a1' })
      expect(session.leafId).toBe('a1')
      await expect(session.append(user('too early'))).rejects.toMatchObject({ code: 'parent_generating' })
      await session.append(assistant('done first', 'b1'), { leafAfter: 'a1' })
      const other = await (await given.reopen()).open(session.id)
      expect([session.leafId, other.leafId]).toEqual(['a1', 'a1'])
      await session.append(assistant('done', 'a1'))
      expect(trunkOf(session)).toEqual(['q1', 'a1'])
      expect((await entriesOf(session)).filter(({ type }) => type === 'message')).toMatchObject([
        { id: 'q1', parentId: null },
        { id: 'b1', parentId: 'q1' },
        { id: 'a1', parentId: 'q1' },
      ])
    })

    test('an answer may be announced and end in one chain, and nothing hangs under it before', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await session.appendAll([user('1', 'q1'), generation('a1'), assistant('2', 'a1'), user('3', 'q2')])
      expect(trunkOf(session)).toEqual(['q1', 'a1', 'q2'])
      await expect(session.appendAll([generation('a2'), user('4')])).rejects.toMatchObject({
        code: 'parent_generating',
      })
      expect(await session.readEntry('a1')).toMatchObject({ parentId: 'q1' })
      expect(trunkOf(await (await given.reopen()).open(session.id))).toEqual(['q1', 'a1', 'q2'])
    })
  })
}
