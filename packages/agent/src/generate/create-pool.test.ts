import { getEventListeners } from 'node:events'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPool } from './create-pool.ts'

const never = new AbortController().signal
const full = { code: 'too_many_generations' }

/** Lets everything happen that waits for nobody. */
const settle = (): Promise<void> => new Promise(setImmediate)

/** Whether a promise is still waiting. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const [first] = await Promise.all([Promise.race([promise, settle().then(() => never)]), settle()])
  return first === never
}

describe('a pool', () => {
  test('lets in as many as there are places, of a session and in all; the others wait in line', async () => {
    const pool = createPool({ perSession: 2, total: 3, queued: 10 })
    const [a1, a2] = [await pool.enter('a', never), await pool.enter('a', never)]
    const a3 = pool.enter('a', never)
    expect(await isPending(a3)).toBe(true)
    const b1 = await pool.enter('b', never)
    const b2 = pool.enter('b', never)
    expect(await isPending(b2)).toBe(true)
    a1()
    expect([await isPending(a3), await isPending(b2)]).toEqual([false, true])
    b1()
    const last = await b2
    for (const leave of [a2, await a3, last]) leave()
    expect(() => pool.refuseFull(13)).not.toThrow()
    expect(() => pool.refuseFull(14)).toThrow(expect.objectContaining(full))
  })

  test('a session that is full holds up no other that came later', async () => {
    const pool = createPool({ perSession: 1, total: 4, queued: 10 })
    await pool.enter('a', never)
    const blocked = [pool.enter('a', never), pool.enter('a', never)]
    await pool.enter('b', never)
    expect(await isPending(Promise.race(blocked))).toBe(true)
  })

  test('a place given back twice is one place', async () => {
    const pool = createPool({ perSession: 1, total: 1, queued: 10 })
    const leave = await pool.enter('a', never)
    const [second, third] = [pool.enter('a', never), pool.enter('a', never)]
    leave()
    leave()
    await second
    leave()
    expect(await isPending(third)).toBe(true)
  })

  test('more than may wait are refused, with what to change', async () => {
    const pool = createPool({ perSession: 1, total: 2, queued: 1 })
    const leave = await pool.enter('a', never)
    const second = pool.enter('a', never)
    await expect(pool.enter('a', never)).rejects.toMatchObject(full)
    await expect(pool.enter('a', never)).rejects.toThrow('generation.queued')
    await pool.enter('b', never)
    await expect(pool.enter('b', never)).rejects.toMatchObject(full)
    leave()
    await second
    expect(await isPending(pool.enter('a', never))).toBe(true)
  })

  test('where none may wait, whoever finds a place is let in all the same', async () => {
    const pool = createPool({ perSession: 1, total: 2, queued: 0 })
    expect(() => pool.refuseFull(2)).not.toThrow()
    expect(() => pool.refuseFull(2, 'a')).toThrow(expect.objectContaining(full))
    await pool.enter('a', never)
    expect(() => pool.refuseFull(1)).not.toThrow()
    expect(() => pool.refuseFull(1, 'a')).toThrow(expect.objectContaining(full))
    await expect(pool.enter('a', never)).rejects.toMatchObject(full)
    await pool.enter('b', never)
    expect(() => pool.refuseFull(1)).toThrow(expect.objectContaining(full))
  })

  test('who gives up while waiting is out of the line, with its reason, and leaves nothing behind', async () => {
    const pool = createPool({ perSession: 1, total: 1, queued: 1 })
    const leave = await pool.enter('a', never)
    const gone = new AbortController()
    const waiting = pool.enter('a', gone.signal)
    const reason = new Error('changed my mind')
    gone.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    await expect(pool.enter('b', gone.signal)).rejects.toBe(reason)
    const stays = new AbortController()
    const next = pool.enter('a', stays.signal)
    expect(getEventListeners(stays.signal, 'abort')).toHaveLength(1)
    leave()
    const leaveNext = await next
    expect([gone, stays].map(({ signal }) => getEventListeners(signal, 'abort').length)).toEqual([0, 0])
    stays.abort()
    expect(await isPending(pool.enter('a', never))).toBe(true)
    leaveNext()
  })

  test('who is told to stop in the moment of being let in has a place, and gives it back', async () => {
    const pool = createPool({ perSession: 1, total: 1, queued: 2 })
    const leave = await pool.enter('a', never)
    const stopped = new AbortController()
    const second = pool.enter('a', stopped.signal)
    leave()
    stopped.abort()
    ;(await second)()
    await pool.enter('a', never)
  })
})

type Step =
  | { readonly type: 'enter'; readonly session: string }
  | { readonly type: 'leave' | 'abort'; readonly pick: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('enter' as const), session: fc.constantFrom('a', 'b', 'c') }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constantFrom('leave', 'abort'), pick: fc.nat() }) },
)

interface Guest {
  readonly session: string
  readonly controller: AbortController
  state: 'waiting' | 'in' | 'refused' | 'aborted' | 'left'
  leave?: () => void
}

test('whatever comes and goes, the limits hold, the first that fits is next, and every place is given back', async () => {
  const limits = fc.record({
    perSession: fc.integer({ min: 1, max: 3 }),
    total: fc.integer({ min: 1, max: 4 }),
    queued: fc.nat(4),
  })
  let waits = 0
  await fc.assert(
    fc.asyncProperty(limits, fc.array(step, { maxLength: 40 }), async (limit, steps) => {
      const pool = createPool(limit)
      const guests: Guest[] = []
      const model: Guest['state'][] = []
      const within = (state: Guest['state'], session?: string) =>
        guests.filter((guest, i) => model[i] === state && (session === undefined || guest.session === session))
      const fits = (session: string) =>
        within('in').length < limit.total && within('in', session).length < limit.perSession
      const letIn = () => {
        for (const [i, { session }] of guests.entries()) if (model[i] === 'waiting' && fits(session)) model[i] = 'in'
      }
      const enter = (session: string) => {
        const guest: Guest = { session, controller: new AbortController(), state: 'waiting' }
        const next = fits(session) ? 'in' : within('waiting').length < limit.queued ? 'waiting' : 'refused'
        guests.push(guest)
        model.push(next)
        pool.enter(session, guest.controller.signal).then(
          (leave) => Object.assign(guest, { state: 'in', leave }),
          (error) => Object.assign(guest, { state: error.code === full.code ? 'refused' : 'aborted' }),
        )
      }
      const leave = (guest: Guest) => {
        guest.leave!()
        guest.state = 'left'
        model[guests.indexOf(guest)] = 'left'
        letIn()
      }
      for (const one of steps) {
        if (one.type === 'enter') enter(one.session)
        else {
          const among = within(one.type === 'leave' ? 'in' : 'waiting')
          const guest = among[one.pick % Math.max(1, among.length)]
          if (guest === undefined) continue
          if (one.type === 'leave') leave(guest)
          else {
            guest.controller.abort()
            model[guests.indexOf(guest)] = 'aborted'
          }
        }
        await settle()
        expect(guests.map(({ state }) => state)).toEqual(model)
        waits += within('waiting').length
      }
      while (within('in').length > 0) {
        leave(within('in')[0]!)
        await settle()
      }
      expect(guests.filter(({ state }) => state === 'waiting' || state === 'in')).toEqual([])
      for (const { controller } of guests) expect(getEventListeners(controller.signal, 'abort')).toEqual([])
      for (let i = 0; i < limit.total; i++) expect(typeof (await pool.enter(`${i}`, never))).toBe('function')
    }),
    { numRuns: 300 },
  )
  expect(waits).toBeGreaterThan(100)
})
