import { Readable } from 'node:stream'
import { TreelineError } from '@treeline/core'
import type { Routes } from '@treeline/protocol'
import type { Asking, Reply } from '../http/handler.ts'
import type { Frame } from '../hub/frame.ts'
import type { LiveSession } from '../hub/live-session.ts'
import type { Services } from '../services.ts'
import { deletedFrame } from './deleted-frame.ts'
import { findStart } from './find-start.ts'
import { followFrames } from './follow-frames.ts'
import { STREAM_LIMITS } from './stream-limits.ts'

type GetEvents = Routes['getEvents']

const { heartbeatMs } = STREAM_LIMITS
/** A client that takes nothing for so long is gone. */
const STALLED_MS = 3 * heartbeatMs

/**
 * A message for each line of the log: its number as `id`, and the same frame as over the WebSocket. `Last-Event-ID`, which
 * browsers send when they come back, counts more than `afterSeq`. Ends when the credential no longer counts.
 */
export async function tellServerSent(services: Services, asking: Asking<GetEvents>): Promise<Reply<GetEvents>> {
  const { hub, credentials, closing, limits } = services
  const { params, query, raw, actor, signal } = asking
  const lease = await hub.acquire(params.sessionId)
  const over = new AbortController()
  const stopRevocations = credentials.onRevoked((id) => id === actor.credentialId && over.abort())
  const release = (): void => {
    over.abort()
    stopRevocations()
    lease[Symbol.dispose]()
  }
  // Also when nobody ever reads a byte of the body.
  signal.addEventListener('abort', release)
  if (signal.aborted) release()
  try {
    const afterSeq = readLastEventId(raw.headers['last-event-id']) ?? query.afterSeq
    const start = await findStart(lease.live, { ...query, afterSeq }, limits.eventsBehind)
    raw.socket.setTimeout(STALLED_MS, () => raw.socket.destroy())
    const messages = toMessages(lease.live, start, AbortSignal.any([signal, closing, over.signal]), release)
    return {
      status: 200,
      type: 'text/event-stream',
      headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
      body: Readable.from(messages, { objectMode: false }),
    }
  } catch (error) {
    release()
    throw error
  }
}

async function* toMessages(
  live: LiveSession,
  start: number | undefined,
  signal: AbortSignal,
  release: () => void,
): AsyncGenerator<string | Buffer> {
  try {
    yield 'retry: 1000\n\n'
    if (start === undefined) {
      yield snapshotRequired(live)
      return
    }
    let seq = start
    for await (const happened of followFrames(live, { afterSeq: start, signal, idleMs: heartbeatMs })) {
      if (happened.type === 'frame') {
        seq = happened.frame.seq
        yield toMessage(happened.frame)
      } else if (happened.type === 'idle') yield ':\n\n'
      else if (happened.type === 'reset') yield snapshotRequired(live)
      else if (happened.type === 'deleted') yield toMessage(deletedFrame(live.id, seq + 1))
    }
  } finally {
    release()
  }
}

function toMessage({ seq, bytes }: Frame): Buffer {
  return Buffer.concat([Buffer.from(`id: ${seq}\ndata: `), bytes, Buffer.from('\n\n')])
}

/** What came is of no use: read the tree and begin after its version. */
function snapshotRequired({ headSeq, oldestSeq, epoch }: LiveSession): string {
  return `event: snapshot_required\ndata: ${JSON.stringify({ headSeq, oldestSeq, epoch })}\n\n`
}

function readLastEventId(given: string | string[] | undefined): number | undefined {
  if (given === undefined || given === '') return undefined
  const seq = Number(given)
  if (Number.isSafeInteger(seq) && seq >= 0) return seq
  throw new TreelineError('bad_request', 'Last-Event-ID is the number of an event.')
}
