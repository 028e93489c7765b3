import { describe, expect, test } from 'vitest'
import type { Followed } from '../session/follow.ts'
import { type ContractOptions, openGiven } from './given.ts'
import { collect } from './look.ts'
import { converse, user } from './say.ts'

export function followContract(options: ContractOptions): void {
  describe('follow', () => {
    test('W1–W3 own entries and edits come once, in order, without a gap', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q0')
      const followed = session.follow()
      const taken = take(followed, 22)
      await Promise.all(Array.from({ length: 20 }, (_, i) => session.append(user(`${i}`, `e${i}`))))
      await session.rename('x')
      await session.setLabel('e0', 'y')
      const events = await taken
      expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 22 }, (_, i) => i + 3))
      expect(events.slice(0, 20).map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, i) => `e${i}`))
      await followed.return(undefined)
    })

    test("W1–W4 another store's entries come once, in order, without a gap, from any sequence number", async () => {
      await using given = await openGiven(options)
      const writer = await given.store.create()
      await writer.appendAll([user('1', 'e1'), user('2', 'e2'), user('3', 'e3')])
      const reader = await (await given.reopen()).open(writer.id)
      const follows = [1, 2, 3, 4].map((afterSeq) => ({ afterSeq, followed: reader.follow({ afterSeq }) }))
      const taken = follows.map(({ afterSeq, followed }) => take(followed, 12 - afterSeq))
      for (let i = 4; i < 12; i++) await writer.append(user(`${i}`, `e${i}`))
      for (const [i, { afterSeq, followed }] of follows.entries()) {
        const events = await taken[i]!
        expect(events.map(({ seq, id }) => [seq, id])).toEqual(
          Array.from({ length: 12 - afterSeq }, (_, k) => [afterSeq + k + 1, `e${afterSeq + k}`]),
        )
        await followed.return(undefined)
      }
    })

    test('W1–W3 with two stores writing at once each follower sees all entries in the one order of the log', async () => {
      await using given = await openGiven(options)
      const one = await given.store.create()
      const two = await (await given.reopen()).open(one.id)
      const follows = [one.follow({ afterSeq: 1 }), two.follow({ afterSeq: 1 })]
      const taken = follows.map((followed) => take(followed, 40))
      await Promise.all(
        [one, two].map(async (session, s) => {
          for (let i = 0; i < 20; i++) await session.append(user(`${i}`, `w${s}-${i}`))
        }),
      )
      const [seen, alsoSeen] = await Promise.all(taken)
      expect(seen).toEqual(alsoSeen)
      expect(seen!.map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, i) => i + 2))
      expect(new Set(seen!.map(({ id }) => id)).size).toBe(40)
      for (const followed of follows) await followed.return(undefined)
    })

    test('W4 a follower that starts over after each entry misses none', async () => {
      await using given = await openGiven(options)
      const writer = await given.store.create()
      const reader = await (await given.reopen()).open(writer.id)
      const writing = (async () => {
        for (let i = 0; i < 10; i++) await writer.append(user(`${i}`, `e${i}`))
      })()
      const seen: string[] = []
      for (let afterSeq = 1; seen.length < 10; ) {
        const followed = reader.follow({ afterSeq })
        const [event] = await take(followed, 1)
        await followed.return(undefined)
        afterSeq = event!.seq
        seen.push(event!.id)
      }
      await writing
      expect(seen).toEqual(Array.from({ length: 10 }, (_, i) => `e${i}`))
    })

    test('W1 a follower listens from the call on, not from when it is first asked', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await session.append(user('before', 'e1'))
      const followed = session.follow()
      await session.append(user('after', 'e2'))
      expect(await take(followed, 1)).toMatchObject([{ seq: 3, id: 'e2' }])
      await followed.return(undefined)
    })

    test('W2 what came before a sequence number is not told, though this store had not read it yet', async () => {
      await using given = await openGiven(options)
      const writer = await given.store.create()
      const reader = await (await given.reopen()).open(writer.id)
      await writer.appendAll([user('1', 'e1'), user('2', 'e2'), user('3', 'e3')])
      const followed = reader.follow({ afterSeq: 3 })
      expect(await take(followed, 1)).toMatchObject([{ seq: 4, id: 'e3' }])
      await followed.return(undefined)
    })

    test('W4 all who open a log agree on its epoch, and it stays while the log grows', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const { epoch } = session
      await converse(session, 'q1', 'a1')
      await session.rename('x')
      const other = await (await given.reopen()).open(session.id)
      await other.append(user('2', 'q2'))
      await session.close()
      const again = await given.store.open(session.id)
      expect([session.epoch, other.epoch, again.epoch]).toEqual([epoch, epoch, epoch])
      expect((await given.store.create()).epoch).not.toBe(epoch)
    })

    test('W4 with the epoch it was read in a position holds, also in another store', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1')
      const { seq, epoch } = session
      await converse(session, 'a1')
      const other = await (await given.reopen()).open(session.id)
      const followed = other.follow({ afterSeq: seq, epoch })
      expect(await take(followed, 1)).toMatchObject([{ seq: seq + 1, id: 'a1' }])
      await followed.return(undefined)
    })

    test.each([
      ['of another epoch', { afterSeq: 2, epoch: 'another' }],
      ['of another epoch, from now on', { epoch: 'another' }],
      ['behind the end', { afterSeq: 99 }],
    ])('W4 for a position %s the first thing told is a reset, then what comes', async (_name, position) => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      await converse(session, 'q1', 'a1')
      const followed = session.follow(position)
      expect(await followed.next()).toEqual({ done: false, value: { type: 'reset', epoch: session.epoch } })
      await session.append(user('2', 'q2'))
      expect(await take(followed, 1)).toMatchObject([{ id: 'q2' }])
      await followed.return(undefined)
    })

    test('W5 what a follower is told of can be read at once', async () => {
      await using given = await openGiven(options)
      const writer = await given.store.create()
      const reader = await (await given.reopen()).open(writer.id)
      const followed = reader.follow({ afterSeq: 1 })
      const next = take(followed, 1)
      await writer.append(user('hello', 'e1'))
      const [event] = await next
      expect(await reader.readEntry(event!.id)).toMatchObject({ message: { content: 'hello' } })
      await followed.return(undefined)
    })

    test('a follower ends when it is told to, and when its session is closed', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const other = await given.store.open(session.id)
      const abort = new AbortController()
      const stopped = collect(session.follow({ afterSeq: 1, signal: abort.signal }))
      const closed = collect(session.follow({ afterSeq: 1 }))
      const followed = other.follow({ afterSeq: 1 })
      const next = take(followed, 2)
      await session.append(user('1', 'e1'))
      abort.abort()
      expect(await stopped).toHaveLength(1)
      await session.close()
      expect((await closed).length).toBeLessThanOrEqual(1)
      await other.append(user('2', 'e2'))
      expect((await next).map(({ id }) => id)).toEqual(['e1', 'e2'])
    })

    test('a follower that is ended while it waits, or before it was asked, is done', async () => {
      await using given = await openGiven(options)
      const session = await given.store.create()
      const followed = session.follow()
      const next = followed.next()
      await followed.return(undefined)
      expect(await next).toEqual({ done: true, value: undefined })
      const unasked = session.follow()
      await unasked.return(undefined)
      await session.append(user('1', 'e1'))
      expect(await unasked.next()).toEqual({ done: true, value: undefined })
    })
  })
}

type FollowedEntry = Extract<Followed, { readonly type: 'entry' }>

async function take(followed: AsyncGenerator<Followed>, count: number): Promise<FollowedEntry[]> {
  const events: FollowedEntry[] = []
  while (events.length < count) {
    const { value } = await followed.next()
    expect(value).toMatchObject({ type: 'entry' })
    events.push(value as FollowedEntry)
  }
  return events
}
