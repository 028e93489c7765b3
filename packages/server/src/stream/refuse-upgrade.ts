import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Problem } from '@treeline/protocol'
import { RETRY_AFTER_MS } from '../http/problem.ts'

/** Answers a request for a WebSocket as any other request would be that is refused. */
export function refuseUpgrade(socket: Duplex, problem: Problem): void {
  const { status } = problem
  const body = JSON.stringify(problem)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(status === 401 ? ['WWW-Authenticate: Bearer realm="treeline"'] : []),
    ...(status === 503 ? [`Retry-After: ${Math.ceil(RETRY_AFTER_MS / 1_000)}`] : []),
    ...(status === 400 ? ['Sec-WebSocket-Version: 13'] : []),
  ]
  socket.once('finish', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
