import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type RequestListener,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { TreelineError } from '@treeline/core'
import type { FastifyInstance } from 'fastify'
import { noteAnswer } from '../http/unreadable.ts'
import { SECURITY_HEADERS } from './security-headers.ts'
import type { TlsFiles } from './tls.ts'

const MAX_PORT = 65_535

/** The server under Fastify. Its headers are set before anybody answers, so that nobody can forget them. */
export function createListener(handler: RequestListener, tls: TlsFiles | undefined): HttpServer {
  const answer: RequestListener = (request, response) => {
    for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value)
    noteAnswer(response)
    handler(request, response)
  }
  // Who names no Host is refused by the guard, like whoever names another; who expects miracles is answered without.
  const options = {
    requireHostHeader: false,
    // Who would like HTTP/2 is answered in what there is; a WebSocket is the only other protocol.
    shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
  }
  const server =
    tls === undefined
      ? createHttpServer(options, answer)
      : createHttpsServer({ ...options, ...tls, minVersion: 'TLSv1.2' }, answer)
  return server.on('checkExpectation', answer)
}

export interface Wanted {
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  /** How many ports are tried, from `port` on, when others have them. */
  readonly tries: number
}

/** Binds to the port, or the next one that is free. Gives the one it got. */
export async function listen(app: FastifyInstance, { host, port, tries }: Wanted): Promise<number> {
  const last = Math.min(port + Math.max(1, tries) - 1, MAX_PORT)
  for (let candidate = port; ; candidate++) {
    try {
      await app.listen({ host, port: candidate })
      return (app.server.address() as AddressInfo).port
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EADDRINUSE' && candidate < last && port !== 0) continue
      throw explain(code, { host, port }, candidate) ?? error
    }
  }
}

function explain(code: string | undefined, { host, port }: Pick<Wanted, 'host' | 'port'>, last: number) {
  if (code === 'EADDRINUSE') {
    const tried = last === port ? `Port ${port} is` : `The ports ${port} to ${last} are`
    return new TreelineError('bad_request', `${tried} in use. Name one that is free, or 0 for any: --port 0.`)
  }
  if (code === 'EACCES') return new TreelineError('forbidden', `Port ${last} is not for everybody. Use one above 1023.`)
  if (code !== 'EADDRNOTAVAIL' && code !== 'ENOTFOUND' && code !== 'EINVAL') return undefined
  return new TreelineError('bad_request', `${JSON.stringify(host)} is no address of this machine.`)
}
