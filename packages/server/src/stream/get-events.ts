import { TreelineError } from '@treeline/core'
import type { DurableEvent, Routes } from '@treeline/protocol'
import type { Asking, Handler, Reply } from '../http/handler.ts'
import type { LiveSession } from '../hub/live-session.ts'
import type { Services } from '../services.ts'
import { findStart } from './find-start.ts'
import { followFrames } from './follow-frames.ts'
import { tellServerSent } from './server-sent-events.ts'

type GetEvents = Routes['getEvents']

const DEFAULT_LIMIT = 500

/** Durable events after a number: those there are, the next ones by long poll, or all that come as server-sent events. */
export const getEvents: Handler<GetEvents> = (services, asking) => {
  const isStream = asking.raw.headers.accept?.includes('text/event-stream') ?? false
  return isStream ? tellServerSent(services, asking) : readPage(services, asking)
}

async function readPage(
  { hub, closing, limits }: Services,
  { params, query, signal }: Asking<GetEvents>,
): Promise<Reply<GetEvents>> {
  const { limit = DEFAULT_LIMIT, waitMs } = query
  return hub.use(params.sessionId, async (live) => {
    const start = await findStart(live, query)
    if (start !== undefined && start >= live.headSeq && waitMs > 0) {
      await waitForNext(live, start, AbortSignal.any([signal, closing, AbortSignal.timeout(waitMs)]))
    }
    // Whoever asks for another log, or for what never was, sees by the numbers that it has to read the tree anew.
    const isKnown = start !== undefined && (query.epoch === undefined || query.epoch === live.epoch)
    const events = isKnown ? await readEvents(live, start, limit, limits.treeBytes) : []
    const { oldestSeq, epoch } = live
    // A client that wrote something can know of it before it is told.
    const headSeq = Math.max(live.headSeq, isKnown ? start : 0)
    return { status: 200, version: headSeq, body: { events, headSeq, oldestSeq, epoch } }
  })
}

/** Those of one line stay together, so that the next page can begin after it. */
async function readEvents(
  live: LiveSession,
  afterSeq: number,
  limit: number,
  maxBytes: number,
): Promise<DurableEvent[]> {
  const events: DurableEvent[] = []
  let bytes = 0
  for await (const frame of live.replay(afterSeq)) {
    bytes += frame.bytes.byteLength
    if (events.length > 0 && (events.length + frame.events.length > limit || bytes > maxBytes)) break
    events.push(...frame.events)
  }
  return events
}

async function waitForNext(live: LiveSession, afterSeq: number, signal: AbortSignal): Promise<void> {
  for await (const { type } of followFrames(live, { afterSeq, signal, idleMs: 60_000 })) {
    if (type === 'deleted') throw new TreelineError('session_not_found', `Session ${live.id} was deleted.`)
    if (type !== 'idle') return
  }
}
