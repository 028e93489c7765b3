import { type AssistantMessage, type Entry, Flag, isErrorCode } from '@treeline/core'
import { openMemoryStore, type Session, type SessionStore } from '@treeline/store'
import { expect } from 'vitest'
import { systemClock } from '../clock.ts'
import type { AgentEnv } from '../env.ts'
import type { ModelInfo } from '../models/model.ts'
import type { TurnEvent } from '../turn/events.ts'
import { runTurn, type TurnRequest } from '../turn/turn.ts'
import { lineFaults } from './line-faults.ts'
import { type ModelServer, startModelServer } from './model-server/model-server.ts'
import { modelAt, type ProviderName } from './provider-models.ts'
import { testEnv } from './test-env.ts'

export interface WireBenchOptions {
  readonly provider: ProviderName
  readonly info?: Partial<ModelInfo>
  readonly env?: Partial<AgentEnv>
  readonly store?: SessionStore
  /** Where the model is asked; a server of its own by default. */
  readonly url?: string
}

export interface TakeOptions extends TurnRequest {
  /** Stops the turn at this event; the first is 0. */
  readonly cancelAt?: number
  readonly onEvent?: (event: TurnEvent) => void
}

/** A session that talks to a model server through a real provider package. Waiting takes no time and is noted. */
export interface WireBench extends AsyncDisposable {
  readonly server: ModelServer
  readonly session: Session
  readonly env: AgentEnv
  /** What the clock was asked to wait, in order. */
  readonly waits: readonly number[]
  /** A turn, with all that happened. */
  take(options: TakeOptions): Promise<TurnEvent[]>
  entries(): Promise<Entry[]>
  /** Answers in the order of the log, with their entries. */
  answers(): Promise<{ readonly entry: Entry; readonly message: AssistantMessage }[]>
}

export async function openWireBench({ provider, info, env: parts, store, url }: WireBenchOptions): Promise<WireBench> {
  const server = await startModelServer()
  const own = store ?? (await openMemoryStore())
  const session = await own.create({ cwd: '/project' })
  const waits: number[] = []
  const clock = {
    ...systemClock,
    random: () => 0.5,
    wait: async (ms: number, signal: AbortSignal) => {
      waits.push(ms)
      signal.throwIfAborted()
    },
  }
  const env = testEnv({ model: modelAt({ url: url ?? server.url }, provider, info), clock, ...parts })
  return {
    server,
    session,
    env,
    waits,
    async take({ cancelAt, onEvent, ...request }) {
      const stop = new AbortController()
      const events: TurnEvent[] = []
      for await (const event of runTurn(env, session, { signal: stop.signal, ...request })) {
        events.push(event)
        onEvent?.(event)
        if (events.length - 1 === cancelAt) stop.abort()
      }
      return events
    },
    entries: () => listEntries(session),
    async answers() {
      const found = await listEntries(session)
      return found.flatMap((entry) => {
        const message = entry.message as AssistantMessage | undefined
        return message?.role === 'assistant' ? [{ entry, message }] : []
      })
    },
    async [Symbol.asyncDispose]() {
      await session.close()
      if (store === undefined) await own.close()
      await server.close()
    },
  }
}

export function endOf(events: readonly TurnEvent[]): string | undefined {
  const last = events.at(-1)
  return last?.type === 'ended' ? last.reason : last?.type
}

/** Whatever has happened: the tree says what, nothing is left open, and the line can be sent as it is. */
export async function expectWhole({ session, answers }: WireBench): Promise<void> {
  for (const { message } of await answers()) {
    if (message.stopReason !== 'error' && message.stopReason !== 'aborted') continue
    expect(isErrorCode(String(message.errorCode))).toBe(true)
    expect(message.errorMessage).toMatch(/\S/)
    expect(message.errorMessage).not.toMatch(/test-key|sk-test|<html|<h1/)
  }
  expect(generatingIds(session)).toEqual([])
  expect(session.partials?.list()).toEqual([])
  const { messages, nodes } = await session.line()
  expect(lineFaults(messages)).toEqual([])
  expect(nodes.filter((node) => node.in && node.repairs !== undefined)).toEqual([])
}

/** The conversation goes on: the next prompt reaches the model, and its answer the tree. */
export async function expectGoesOn(bench: WireBench, prompt = 'And now?'): Promise<void> {
  bench.server.reply(() => ({ text: 'Here I am.' }))
  expect(endOf(await bench.take({ prompt }))).toBe('stop')
  expect(JSON.stringify(bench.server.requests.at(-1)?.body)).toContain(prompt)
  const { messages } = await bench.session.line()
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ type: 'text', text: 'Here I am.' }] })
  await expectWhole(bench)
}

export function generatingIds({ tree }: Session): string[] {
  const found: string[] = []
  for (let ref = 1; ref < tree.ids.count; ref++) {
    if (tree.columns.has(ref, Flag.generating)) found.push(tree.ids.textOf(ref))
  }
  return found
}

async function listEntries(session: Session): Promise<Entry[]> {
  const found: Entry[] = []
  for await (const entry of session.entries()) found.push(entry)
  return found
}
