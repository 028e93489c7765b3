import { type Call, type DurableEvent, routes } from '@treeline/protocol'
import { type Heard, inShort } from './follower.ts'

/** Every event of a session up to a number, as the log has them, in short. */
export async function readAll(call: Call, sessionId: string, head: number): Promise<Heard> {
  const byLine = new Map<number, DurableEvent[]>()
  for (let afterSeq = 0; afterSeq < head; ) {
    const query = { afterSeq, limit: 500, waitMs: 10_000 }
    const { events } = await call(routes.getEvents, { params: { sessionId }, query })
    for (const event of events) byLine.set(event.seq, [...(byLine.get(event.seq) ?? []), event])
    afterSeq = events.at(-1)?.seq ?? afterSeq
  }
  return new Map([...byLine].map(([seq, events]) => [seq, inShort(events)]))
}
