import { once } from 'node:events'
import { CLOSE, serverFrameSchema } from '@treeline/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { growSession } from '../handlers/edit/testing/edit-session.ts'
import { connectRaw, type RawClient } from '../stream/testing/raw-client.ts'
import { keptBytes } from '../testing/kept-bytes.ts'
import { amount } from '../testing/runs.ts'
import { startTestServer } from '../testing/test-server.ts'
import { type FuzzedFrame, frames } from './frames.ts'

const CASES = amount(400, 100_000)
const MAX_MS = 2_000
const TIMEOUT = { timeout: CASES > 2_000 ? 24 * 3_600_000 : 60_000 }
/** By ourselves, or by the WebSocket: what is no text in UTF-8, or too large. */
const CODES: ReadonlySet<number> = new Set([CLOSE.protocolError, 1007, 1009])

test(
  'frames in any order, right or wrong, are answered or end the connection; nothing else happens',
  TIMEOUT,
  async () => {
    await using server = await startTestServer()
    const sessionId = await growSession(server)
    const before = keptBytes(server.home)
    let sent = 0
    const property = fc.asyncProperty(fc.boolean(), frames({ ids: [sessionId, 'u1', 'a3'] }), async (hello, given) => {
      const client = await connectRaw(server, { hello })
      const startedAt = performance.now()
      const code = await sendAll(client, given)
      expect(performance.now() - startedAt).toBeLessThan(MAX_MS)
      if (code !== undefined) expect(CODES).toContain(code)
      for (const frame of client.frames) {
        const { data } = serverFrameSchema.safeParse(frame)
        expect(data, JSON.stringify(frame).slice(0, 300)).toBeDefined()
        if (data?.t === 'error') expect(data.problem.status).toBeLessThan(500)
      }
      sent++
      client.socket.terminate()
    })
    await fc.assert(property, { numRuns: CASES, endOnFailure: true })
    expect(sent).toBe(CASES)
    expect(keptBytes(server.home)).toEqual(before)
    expect(server.logged.filter(({ level }) => level !== 'info')).toEqual([])
    const { metrics } = server.server.services
    for (const name of ['sockets', 'subscriptions']) {
      await expect.poll(() => metrics.render()).toMatch(new RegExp(`^treeline_${name} 0$`, 'm'))
    }
    expect((await server.fetch('/healthz')).status).toBe(200)
  },
)

/** `undefined` when the connection is still there and answers, else the code it was closed with. */
async function sendAll(client: RawClient, given: readonly FuzzedFrame[]): Promise<number | undefined> {
  const { socket } = client
  for (const frame of given) socket.send(frame)
  socket.send('{"t":"ping","n":424242}')
  const answered = client.until('pong', ({ n }) => n === 424_242).then(() => undefined)
  const closed = once(socket, 'close').then(([code]) => code as number)
  return await Promise.race([answered, closed]).catch(() => client.closed)
}
