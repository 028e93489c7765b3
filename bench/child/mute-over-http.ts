import { Agent, request } from 'node:http'
import { openFileStore, type Session } from '../../packages/store/src/index.ts'
import { makeMessages } from '../inputs/messages.ts'
import { median } from '../statistics.ts'
import { type Action, prepared } from './job.ts'
import { startTreeServer, type TreeServer } from './tree-server.ts'

const ENTRIES = 1_000
/** Until both processes have compiled what they run. */
const WARM_UP = 0.3

/**
 * By turns: a node is muted or not over HTTP, a message is appended and synced by the store in this process, and a request
 * that needs nothing but a credential is answered. One connection, kept alive. Facts: their medians, and what is in the logs.
 */
export const mute: Action = async ({ home, append: options }) => {
  const { count } = options!
  const store = await openFileStore({ home })
  const [muted, appended] = [await makeSession(store), await makeSession(store)]
  const server = await startTreeServer(home)
  const ask = connect(server)
  const path = `/api/chat/${muted.id}/node/${muted.leafId}/state`
  await muted.close()
  const message = makeMessages(1)[0]!
  const tookMs = { put: [] as number[], append: [] as number[], empty: [] as number[] }
  const sides = [
    { times: tookMs.put, run: (i: number) => ask('PUT', path, JSON.stringify({ isEnabled: i % 2 === 1 })) },
    { times: tookMs.append, run: () => appended.append({ type: 'message', message }) },
    { times: tookMs.empty, run: () => ask('GET', '/api/chat/limits') },
  ]
  const round = async (i: number): Promise<void> => {
    for (let turn = 0; turn < sides.length; turn++) {
      const { times, run } = sides[(i + turn) % sides.length]!
      const start = performance.now()
      await run(i)
      times.push(performance.now() - start)
    }
  }
  const earlier = Math.ceil(count * WARM_UP)
  for (let i = 0; i < earlier; i++) await round(i)
  for (const { times } of sides) times.length = 0
  return prepared(
    async () => {
      for (let i = earlier; i < earlier + count; i++) await round(i)
    },
    async () => {
      await store.close()
      const again = await openFileStore({ home })
      const linesOf = async ({ id }: Session) =>
        (await again.open(id, { readOnly: true })).tree.rowCount - ENTRIES - earlier
      return {
        muted: await linesOf(muted),
        appended: await linesOf(appended),
        putMs: median(tookMs.put),
        appendMs: median(tookMs.append),
        emptyMs: median(tookMs.empty),
      }
    },
  )
}

async function makeSession(store: Awaited<ReturnType<typeof openFileStore>>): Promise<Session> {
  const session = await store.create({ cwd: '/home/dev/project' })
  await session.appendAll(makeMessages(ENTRIES).map((message) => ({ type: 'message', message })))
  return session
}

/** One connection, as a program that goes on asking has. */
function connect({ url, token }: TreeServer) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { hostname, port } = new URL(url)
  return (method: string, path: string, body?: string): Promise<void> => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    }
    return new Promise((resolve, reject) => {
      const asked = request({ agent, hostname, port, method, path, headers }, (response) => {
        response.resume()
        response.once('error', reject)
        response.once('end', () => {
          if (response.statusCode === 200) resolve()
          else reject(new Error(`${method} ${path} was answered with ${response.statusCode}.`))
        })
      })
      asked.once('error', reject)
      asked.end(body)
    })
  }
}
