import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelReply, WireFormat } from './reply.ts'
import { sendReply } from './send-reply.ts'

export interface ReceivedRequest {
  readonly format: WireFormat
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly model: string
  readonly body: Readonly<Record<string, unknown>>
  /** Resolves when the connection of this request is over, whoever ended it. */
  readonly closed: Promise<void>
}

/** Says what to answer: one answer, several in a row, or one made from the question. */
export type ReplyScript =
  | ModelReply
  | readonly ModelReply[]
  | ((request: ReceivedRequest, index: number) => ModelReply | Promise<ModelReply>)

export interface ModelServer {
  /** `http://127.0.0.1:<port>`, without a path. */
  readonly url: string
  /** Every question so far, in order. */
  readonly requests: readonly ReceivedRequest[]
  /** Resolves with a question when it has come; 0 is the first. */
  request(index: number): Promise<ReceivedRequest>
  /** Answers are used up in order; a function answers whatever else comes. */
  reply(script: ReplyScript): void
  close(): Promise<void>
}

/** A model server on this machine that speaks the streaming formats of OpenAI, Anthropic and Google, with their faults. */
export async function startModelServer(): Promise<ModelServer> {
  const requests: ReceivedRequest[] = []
  const waiting: (() => void)[] = []
  const queue: ModelReply[] = []
  let answer: ReplyScript | undefined

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(incoming)
    const format = formatOf(incoming.url ?? '')
    if (format === undefined || incoming.method !== 'POST') {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not Found</h1>')
      return
    }
    const request = toRequest(incoming, response, format, body)
    requests.push(request)
    for (const tell of waiting.splice(0)) tell()
    const reply =
      queue.shift() ?? (typeof answer === 'function' ? await answer(request, requests.length - 1) : undefined)
    if (reply !== undefined) return sendReply(response, format, reply, request)
    const message = 'This test has not said what to answer.'
    response.writeHead(501, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }))
  }
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async request(index) {
      for (;;) {
        const found = requests[index]
        if (found !== undefined) return found
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    reply(script) {
      if (typeof script === 'function') answer = script
      else queue.push(...(isList(script) ? script : [script]))
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function isList(script: ReplyScript): script is readonly ModelReply[] {
  return Array.isArray(script)
}

function formatOf(path: string): WireFormat | undefined {
  const [name = ''] = path.split('?')
  if (name.endsWith('/responses')) return 'openai-responses'
  if (name.endsWith('/chat/completions')) return 'openai-chat'
  if (name.endsWith('/messages')) return 'anthropic'
  return name.endsWith(':streamGenerateContent') ? 'google' : undefined
}

function toRequest(
  { url: path = '', headers }: IncomingMessage,
  response: ServerResponse,
  format: WireFormat,
  body: Readonly<Record<string, unknown>>,
): ReceivedRequest {
  const closed = new Promise<void>((resolve) => response.once('close', resolve))
  const named = /models\/([^/:?]+):/.exec(path)?.[1]
  const model = typeof body.model === 'string' ? body.model : (named ?? '')
  return { format, path, headers, model, body, closed }
}

async function readBody(incoming: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}
