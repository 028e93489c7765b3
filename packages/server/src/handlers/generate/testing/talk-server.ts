import type { ChatHistoryTree, Problem, SendMessage } from '@treeline/protocol'
import { type GatedModels, gatedModels } from '../../../testing/gated-models.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../../../testing/test-server.ts'

/** A server whose models do as they are told by the last words they are sent. */
export interface TalkServer extends AsyncDisposable {
  readonly test: TestServer
  readonly asked: GatedModels['asked']
  /** Lets go on what waits at a gate, now or later: `at the red gate`. */
  letGo(gate: string): void
  newSession(): Promise<string>
  post(path: string, body: unknown): Promise<Posted>
  get<T = ChatHistoryTree>(path: string): Promise<T>
}

/** What was answered, whatever it was: a test looks at what it expects. */
export interface Posted {
  readonly status: number
  readonly headers: Headers
  readonly body: SendMessage & Problem
}

const GATE = /at the (\w+) gate/g
const FAILS = /fail please/

export async function startTalkServer(options: TestServerOptions = {}): Promise<TalkServer> {
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const gateOf = (name: string) => {
    const gate = gates.get(name) ?? Promise.withResolvers<void>()
    gates.set(name, gate)
    return gate
  }
  const { models, asked } = gatedModels(
    async function* ({ prompt }, text) {
      const wait = [...text.matchAll(GATE)].at(-1)?.[1]
      if (FAILS.test(text)) return { error: new Error('Out of order.') }
      if (text.includes('break off')) {
        yield 'So '
        return { error: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }) }
      }
      const write = /write to (\S+)/.exec(text)?.[1]
      const also = /and to (\S+)/.exec(text)?.[1]
      if (write !== undefined && prompt.at(-1)?.role === 'user') {
        const calls = [write, ...(also === undefined ? [] : [also])].map((path) => {
          return { id: 'call_1', name: 'write', input: { path, content: 'Hello' } }
        })
        return { calls }
      }
      if (wait === undefined) return yield 'Yes, 😀 of course.'
      if (!text.includes('in silence')) yield 'So far, '
      await gateOf(wait).promise
      yield 'so good.'
    },
    { contextWindow: 60_000 },
  )
  const { flags, ...agent } = options.agent ?? {}
  const settings = { autoTitle: false, retry: { enabled: false }, ...flags }
  const test = await startTestServer({ ...options, agent: { models, flags: settings, ...agent } })
  return {
    test,
    asked,
    letGo: (name) => gateOf(name).resolve(),
    async newSession() {
      await using session = await test.store.create({ cwd: '/project' })
      return session.id
    },
    async post(path, body) {
      const response = await test.fetch(`/api/chat/${path}`, { method: 'POST', body: JSON.stringify(body) })
      return { status: response.status, headers: response.headers, body: (await response.json()) as Posted['body'] }
    },
    async get<T>(path: string) {
      return (await test.fetch(`/api/chat/${path}`)).json() as Promise<T>
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  }
}
