import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { TreelineError } from '@treeline/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { askedOf } from '../guard/asked.ts'
import { type GuardOptions, guard } from '../guard/guard.ts'
import type { Services } from '../services.ts'
import { refuseUpgrade } from '../stream/refuse-upgrade.ts'
import { newRequestId, sendProblem } from './mount.ts'
import { toProblem } from './problem.ts'

/** A path for which not even a route can be looked for. The guard speaks first here, too (K1, K2). */
export function refusePath(services: Services, guarding: () => GuardOptions) {
  return (_error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    try {
      guard(askedOf(request.raw, false), 'read', guarding())
      throw new TreelineError('bad_request', 'The path cannot be read.')
    } catch (error) {
      sendProblem(services, request, reply, error)
    }
  }
}

const STATUS: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

const answering = new WeakMap<Duplex, ServerResponse>()

/** Before anybody answers. */
export function noteAnswer(response: ServerResponse): void {
  if (response.socket !== null) answering.set(response.socket, response)
}

/**
 * Answers what is no HTTP. When it comes behind a request that is being answered, that answer goes out first: the client
 * must not take one for the other, and believe refused what is done.
 */
export function refuseBytes(error: NodeJS.ErrnoException, socket: Duplex): void {
  const response = answering.get(socket)
  const isOpen = response !== undefined && !response.writableFinished
  if (socket.destroyed || error.code === 'ECONNRESET') {
    socket.destroy()
  } else if (isOpen && (response.headersSent || response.req.complete)) {
    if (!response.headersSent) response.setHeader('connection', 'close')
    response.once('close', () => socket.destroy())
  } else {
    refuse(error, socket)
  }
}

function refuse({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  const problem = toProblem(new TreelineError('bad_request', 'The request cannot be read.'), newRequestId())
  refuseUpgrade(socket, { ...problem, status: STATUS[code] ?? problem.status })
}
