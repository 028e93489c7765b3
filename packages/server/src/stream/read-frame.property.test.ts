import { clientFrameSchema } from '@treeline/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { startTestServer } from '../testing/test-server.ts'
import { readFrame } from './read-frame.ts'
import { connectRaw } from './testing/raw-client.ts'

const KINDS = ['subscribe', 'unsubscribe', 'ack', 'resync', 'cancel', 'pause', 'resume', 'ping', 'subscribe_list']
const kind = fc.constantFrom('hello', 'unsubscribe_list', 'x', ...KINDS)
const field = fc.constantFrom('id', 'sessionId', 'nodeId', 'generationId', 'afterSeq', 'seq', 'from', 'n', '__proto__')
const nearly = fc
  .record({ t: kind, fields: fc.dictionary(field, fc.jsonValue(), { maxKeys: 5 }) })
  .map(({ t, fields }) => JSON.stringify({ t, ...fields }))

test('property: whatever is sent is a frame of ours or none, and never an error', () => {
  const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), nearly)
  fc.assert(
    fc.property(anything, fc.boolean(), (text, isBinary) => {
      const frame = readFrame(Buffer.from(text), isBinary)
      if (frame === undefined) return
      expect(isBinary).toBe(false)
      expect(clientFrameSchema.parse(frame)).toEqual(frame)
    }),
    { numRuns: runs(2_000) },
  )
})

test('property: frames in any order are answered or refused, never with an error of the server', async () => {
  await using server = await startTestServer()
  const sessionId = await server.say('One', 'Two')
  const id = fc.integer({ min: 0, max: 9 })
  const session = fc.constantFrom(sessionId, sessionId, 'another')
  const number = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.maxSafeNat())
  const frame = fc.oneof(
    fc.record({
      t: fc.constant('subscribe' as const),
      id,
      sessionId: session,
      afterSeq: number,
      aliases: fc.boolean(),
    }),
    fc.record({ t: fc.constant('unsubscribe' as const), id, sessionId: session }),
    fc.record({ t: fc.constant('ack' as const), sessionId: session, seq: number }),
    fc.record({ t: fc.constant('resync' as const), id, sessionId: session, nodeId: session, from: number }),
    fc.record({ t: fc.constant('cancel' as const), id, generationId: session }),
    fc.record({ t: fc.constantFrom('pause' as const, 'resume' as const) }),
    fc.record({ t: fc.constantFrom('subscribe_list' as const, 'unsubscribe_list' as const), id }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { maxLength: 30 }), async (frames) => {
      const client = await connectRaw(server)
      for (const one of frames) client.say(one)
      client.say({ t: 'ping', n: 1 })
      await client.until('pong')
      client.socket.close()
      await client.closed
      for (const told of client.frames) if (told.t === 'error') expect(told.problem.status).toBeLessThan(500)
    }),
    { numRuns: runs(20) },
  )
  await expect.poll(() => server.server.services.metrics.render()).toMatch(/^treeline_subscriptions 0$/m)
  expect(server.logged.filter(({ level }) => level === 'error')).toEqual([])
})
