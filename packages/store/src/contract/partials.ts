import { describe, expect, test } from 'vitest'
import type { Partials } from '../session/partials.ts'
import type { Session } from '../session/session.ts'
import { type ContractOptions, openGiven } from './given.ts'
import { idsOf } from './look.ts'
import { converse } from './say.ts'

export function partialsContract(options: ContractOptions): void {
  describe('partials and writers', () => {
    test('what is kept of an answer is found by others at once, and again after more was kept', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const writer = partialsOf(session).open('a1')
      expect(partialsOf(session).list()).toEqual([])
      expect(await partialsOf(session).read('a1')).toBeUndefined()
      await writer.append('{"text":"one"}')
      const others = partialsOf(await (await given.reopen()).open(session.id))
      expect(await others.read('a1')).toBe('{"text":"one"}\n')
      await Promise.all([writer.append('2'), writer.append('3')])
      await writer.close()
      expect(others.list()).toEqual(['a1'])
      const again = others.open('a1')
      await again.append('4 \u0000 é 😀')
      await again.close()
      expect(await partialsOf(session).read('a1')).toBe('{"text":"one"}\n2\n3\n4 \u0000 é 😀\n')
    })

    test('removed, it is gone; others stay; removing what is not there is fine', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const partials = partialsOf(session)
      for (const id of ['a1', 'b1']) {
        const writer = partials.open(id)
        await writer.append(id)
        await writer.close()
      }
      await partials.remove('a1')
      await partials.remove('a1')
      expect([partials.list(), await partials.read('b1')]).toEqual([['b1'], 'b1\n'])
      await partials.remove('b1')
      expect(partials.list()).toEqual([])
    })

    test('each session has its own, and the log knows nothing of them', async () => {
      await using given = await openGiven(options)
      const [one, two] = [await given.store.create(), await given.store.create()]
      await converse(one, 'q1')
      const { seq } = one
      await partialsOf(one).open('a1').append('x')
      expect(partialsOf(two).list()).toEqual([])
      expect(await partialsOf(two).read('a1')).toBeUndefined()
      expect(one.seq).toBe(seq)
      expect(await idsOf(await given.store.fork(one))).toEqual(['q1'])
      expect(await given.store.list()).toHaveLength(3)
    })

    test.each(['', '.', '..', '../x', 'a/b', 'a\u0000b', 'x'.repeat(200)])('K3 %j is no name of one', async (id) => {
      await using given = await openGiven(options)
      const partials = partialsOf(await given.store.create())
      const refused = { code: 'validation_failed' }
      expect(() => partials.open(id)).toThrow(expect.objectContaining(refused))
      await expect(partials.read(id)).rejects.toMatchObject(refused)
      await expect(partials.remove(id)).rejects.toMatchObject(refused)
    })

    test('a line with a line end is refused and a closed writer refuses; what is kept stays', async () => {
      await using given = await openGiven(options)
      const partials = partialsOf(await given.store.create())
      const writer = partials.open('a1')
      await writer.append('one')
      await expect(writer.append('two\nthree')).rejects.toMatchObject({ name: 'TreelineError' })
      await writer.append('four')
      await writer.close()
      await writer.close()
      await expect(writer.append('late')).rejects.toMatchObject({ code: 'bad_request' })
      expect(await partials.read('a1')).toBe('one\nfour\n')
    })

    test('a writer is known to all, lives until its store is closed, and is one per store', async () => {
      await using given = await openGiven(options)
      const one = await given.store.create()
      const same = await given.store.open(one.id)
      const other = await given.reopen()
      const two = await other.open(one.id)
      const tokens = [one.writer!, same.writer!, two.writer!]
      expect(tokens).toEqual([one.writer, one.writer, expect.not.stringContaining(one.writer!)])
      for (const session of [one, two]) {
        expect(tokens.map((token) => session.isWriterAlive(token))).toEqual([true, true, true])
        expect(session.isWriterAlive('nobody')).toBe(false)
      }
      await two.close()
      expect(one.isWriterAlive(tokens[2]!)).toBe(true)
      await other.close()
      expect(tokens.map((token) => one.isWriterAlive(token))).toEqual([true, true, false])
      expect(two.writer).toBeUndefined()
    })

    test('D1 bytes put through a session are there for all', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const ref = await session.putBlob(Buffer.from('kept'))
      const other = await (await given.reopen()).open(session.id)
      expect(Buffer.from((await other.readBlob(ref))!).toString()).toBe('kept')
      await session.close()
      await expect(session.putBlob(Buffer.from('late'))).rejects.toMatchObject({ code: 'bad_request' })
    })
  })
}

function partialsOf({ partials }: Session): Partials {
  expect(partials).toBeDefined()
  return partials!
}
