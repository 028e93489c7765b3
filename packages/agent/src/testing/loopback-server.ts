import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Asked {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface LoopbackServer extends AsyncDisposable {
  readonly port: number
  /** `http://127.0.0.1:port` */
  readonly url: string
  readonly asked: readonly Asked[]
}

/** A server on a free port of this machine that notes what it is asked; gone at the end of the block. */
export async function serveLoopback(answer: RequestListener): Promise<LoopbackServer> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    asked.push({ method, url, headers, body: await text(request) })
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    asked,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A port on which nobody answers. */
export async function freePort(): Promise<number> {
  await using server = await serveLoopback(() => {})
  return server.port
}
