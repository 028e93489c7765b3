// Treeline over HTTP: a server in a process of its own, asked by this one. Bytes are counted as they come and looked at
// afterwards, so that what is timed is the server's work and the way.
import { get } from 'node:http'
import { type Action, prepared } from './job.ts'
import { mute } from './mute-over-http.ts'
import { runChild } from './run-child.ts'
import { startTreeServer, type TreeServer } from './tree-server.ts'

interface Skeleton {
  readonly nodes: readonly { readonly id: string }[]
  readonly nextCursor: string | null
}

/** All nodes as columns. Facts: nodes, the last one's id, bytes. */
const columns: Action = async ({ home, sessionId }) => {
  const server = await openSession(home, sessionId!)
  return prepared(
    () => ask(server, `/api/chat/${sessionId}/tree?view=columns`),
    (body) => {
      const { ids } = JSON.parse(body.toString()).columns as { readonly ids: string }
      const id = ids.split(' ')
      return { nodes: id.length, lastId: id.at(-1)!, bytes: body.length }
    },
  )
}

/** The same as skeleton objects in one stream. */
const skeletonStream: Action = async ({ home, sessionId }) => {
  const server = await openSession(home, sessionId!)
  return prepared(
    () => ask(server, `/api/chat/${sessionId}/tree?view=skeleton&stream=1`),
    (body) => {
      const [, ...lines] = body.toString().trimEnd().split('\n')
      return { nodes: lines.length, lastId: JSON.parse(lines.at(-1)!).id, bytes: body.length }
    },
  )
}

/** The same in pages as large as they may be. */
const skeletonPages: Action = async ({ home, sessionId }) => {
  const server = await openSession(home, sessionId!)
  const path = `/api/chat/${sessionId}/tree?view=skeleton&limit=5000`
  return prepared(
    async () => {
      const pages: Buffer[] = []
      // Without looking at all of it, as a client that hands pages on.
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const page = await ask(server, cursor === '' ? path : `${path}&cursor=${cursor}`)
        pages.push(page)
        cursor = /"nextCursor":"([\w-]+)"/.exec(page.toString('latin1'))?.[1]
      }
      return pages
    },
    (pages) => {
      const nodes = pages.flatMap((page) => (JSON.parse(page.toString()) as Skeleton).nodes)
      return {
        nodes: nodes.length,
        lastId: nodes.at(-1)!.id,
        bytes: pages.reduce((sum, { length }) => sum + length, 0),
      }
    },
  )
}

/** The first one who asks waits until a session is open: that is another row. */
async function openSession(home: string, sessionId: string): Promise<TreeServer> {
  const server = await startTreeServer(home)
  await ask(server, `/api/chat/${sessionId}/stash`)
  return server
}

function ask({ url, token }: TreeServer, path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const request = get(new URL(path, url), { headers: { authorization: `Bearer ${token}` } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const body = Buffer.concat(chunks)
        if (response.statusCode === 200) resolve(body)
        else reject(new Error(`${path} was answered with ${response.statusCode}: ${body.toString().slice(0, 500)}`))
      })
    })
    request.once('error', reject)
  })
}

await runChild({ columns, skeletonStream, skeletonPages, mute })
