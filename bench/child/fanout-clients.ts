// Clients of a WebSocket server, some hundred in a process: `node fanout-clients.ts '<ClientsOptions as JSON>'`. Tells its
// parent when all are connected, then how long every timed message took to each of them.
import { fork } from 'node:child_process'
import { WebSocket } from 'ws'
import type { FanoutOptions } from './job.ts'

export interface ClientsOptions {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** The session to subscribe to, of a server that speaks our protocol. */
  readonly sessionId?: string
  readonly fanout: FanoutOptions
}

const PROCESSES = 2
const SUBPROTOCOL = 'chat.v1'
const ACK_MS = 1_000

interface Share {
  readonly ready: Promise<void>
  readonly latencies: Promise<Float64Array>
}

/** Resolves when all are connected, with a promise of all latencies in nanoseconds, the smallest first. */
export async function startClients(options: ClientsOptions): Promise<{ readonly latencies: Promise<Float64Array> }> {
  const { clients } = options.fanout
  const shares = Array.from({ length: PROCESSES }, (_, i) =>
    startShare({ ...options, fanout: { ...options.fanout, clients: Math.floor((clients + i) / PROCESSES) } }),
  )
  const latencies = Promise.all(shares.map((share) => share.latencies)).then(merge)
  latencies.catch(() => {})
  await Promise.all(shares.map(({ ready }) => ready))
  return { latencies }
}

function startShare(options: ClientsOptions): Share {
  const ready = Promise.withResolvers<void>()
  const latencies = Promise.withResolvers<Float64Array>()
  const child = fork(import.meta.filename, [JSON.stringify(options)], { serialization: 'advanced', execArgv: [] })
  child.on('message', (told) => {
    if (told === 'ready') ready.resolve()
    else {
      latencies.resolve(told as Float64Array)
      child.kill()
    }
  })
  child.once('exit', (code) => {
    const error = new Error(`Clients ended (${code}). They need as many open files as there are: see \`ulimit -Hn\`.`)
    ready.reject(error)
    latencies.reject(error)
  })
  return { ready: ready.promise, latencies: latencies.promise }
}

function merge(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all.sort()
}

async function listen({ url, headers = {}, sessionId, fanout }: ClientsOptions): Promise<void> {
  const { clients, events } = fanout
  const latencies = new Float64Array(clients * events)
  let count = 0
  const take = (text: string): void => {
    const sent = /sent=(\d+)/.exec(text)?.[1]
    if (sent === undefined) return
    latencies[count++] = Number(process.hrtime.bigint()) - Number(sent)
    if (count === latencies.length) process.send!(latencies)
  }
  for (let i = 0; i < clients; i++) await connect(url, headers, sessionId, take)
  process.send!('ready')
}

/** As a client of ours does: subscribes, and says once a second what came. Of another server it only listens. */
function connect(
  url: string,
  headers: Readonly<Record<string, string>>,
  sessionId: string | undefined,
  take: (text: string) => void,
): Promise<void> {
  const socket = new WebSocket(url, sessionId === undefined ? [] : SUBPROTOCOL, { headers, perMessageDeflate: false })
  const say = (frame: object): void => socket.send(JSON.stringify(frame))
  return new Promise((resolve, reject) => {
    let seq = '0'
    socket.once('error', reject)
    socket.once('open', () => {
      if (sessionId === undefined) resolve()
      else say({ t: 'hello', protocol: 1 })
    })
    socket.on('message', (data) => {
      const text = String(data)
      take(text)
      const [, number] = /^\{"t":"events","seq":(\d+)/.exec(text) ?? []
      if (number !== undefined) seq = number
      else if (text.startsWith('{"t":"welcome"')) say({ t: 'subscribe', id: 1, sessionId })
      else if (text.startsWith('{"t":"replay_done"')) {
        setInterval(() => say({ t: 'ack', sessionId, seq: Number(seq) }), ACK_MS)
        resolve()
      }
    })
  })
}

if (import.meta.main) await listen(JSON.parse(process.argv[2]!))
