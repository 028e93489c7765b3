import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { Outbox } from './outbox.ts'
import { SharedBacklog } from './shared-backlog.ts'

const MAX_BYTES = 10_000
const LIMITS = { queueBytes: 0, dropBytes: 1e9, closeBytes: 1e9 }

/** Clients whose sockets take nothing. */
function makeClients(count: number) {
  const backlog = new SharedBacklog(MAX_BYTES)
  const dropped: number[] = []
  const clients = Array.from({ length: count }, (_, i) => {
    const outbox = new Outbox({
      sink: { writableLength: 0, write: () => {} },
      limits: LIMITS,
      onOverflow: () => {},
      onDrained: () => {},
      onQueued: (bytes) => backlog.change(bytes),
    })
    const waiter = {
      get backlogBytes() {
        return outbox.backlogBytes
      },
      drop() {
        dropped.push(i)
        outbox.close()
      },
    }
    backlog.join(waiter)
    const leave = (): void => {
      backlog.leave(waiter)
      outbox.close()
    }
    return { outbox, leave }
  })
  return { clients, dropped }
}

test('W6 when all together leave too much waiting, whoever leaves most goes first, and the others stay', () => {
  const { clients, dropped } = makeClients(3)
  const send = (i: number, bytes: number) => clients[i]!.outbox.send(Buffer.alloc(bytes))
  for (const { outbox } of clients) outbox.send(Buffer.alloc(1))
  send(0, 2_000)
  send(1, 5_000)
  expect(dropped).toEqual([])
  send(2, 3_000)
  expect(dropped).toEqual([1])
  send(2, 4_000)
  expect(dropped).toEqual([1])
  send(0, 1_000)
  expect(dropped).toEqual([1, 2])
})

test('W6 whatever is sent and whoever leaves, no more waits than may', () => {
  const steps = fc.array(fc.tuple(fc.nat(9), fc.nat(4_000), fc.boolean()), { maxLength: 200 })
  fc.assert(
    fc.property(steps, (given) => {
      const { clients, dropped } = makeClients(10)
      for (const [i, bytes, isLeaving] of given) {
        if (isLeaving && bytes < 100) clients[i]!.leave()
        else clients[i]!.outbox.send(Buffer.alloc(bytes))
        const waiting = clients.reduce((sum, { outbox }) => sum + outbox.backlogBytes, 0)
        expect(waiting).toBeLessThanOrEqual(MAX_BYTES)
      }
      expect(new Set(dropped).size).toBe(dropped.length)
    }),
    { numRuns: runs(100) },
  )
})
