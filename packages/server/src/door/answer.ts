import type { FastifyReply } from 'fastify'
import type { Page } from './page.ts'

/** What the door answers: a page, bytes of a type, or nothing but headers. */
export interface Answer {
  readonly status: number
  readonly page?: Page
  readonly body?: Uint8Array | string
  readonly headers?: Readonly<Record<string, string>>
}

export function sendAnswer(reply: FastifyReply, { status, page, body, headers = {} }: Answer): void {
  reply.status(status).headers({ ...page?.headers, ...headers })
  if (page !== undefined) reply.type('text/html; charset=utf-8')
  reply.send(page?.html ?? body)
}
