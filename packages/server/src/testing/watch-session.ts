import type { ChatEvent, DurableEvent } from '@treeline/protocol'
import type { RunningServer } from '../server.ts'

type EventOf<T extends ChatEvent['type']> = Extract<ChatEvent, { readonly type: T }>

/** What a client of a session would be told, from the moment it watches. */
export interface Watched extends Disposable {
  readonly events: readonly ChatEvent[]
  readonly durable: readonly DurableEvent[]
  types(): readonly string[]
  /** The first of its kind that fits, now or later. */
  until<T extends ChatEvent['type']>(type: T, fits?: (event: EventOf<T>) => boolean): Promise<EventOf<T>>
}

export async function watchSession({ services: { hub } }: RunningServer, sessionId: string): Promise<Watched> {
  const lease = await hub.acquire(sessionId)
  const events: ChatEvent[] = []
  let wake = Promise.withResolvers<void>()
  const add = (...told: readonly ChatEvent[]): void => {
    events.push(...told)
    wake.resolve()
    wake = Promise.withResolvers<void>()
  }
  const stop = lease.live.listen({
    onFrame: (frame) => add(...frame.events),
    onText: ({ event }) => add(event),
    onReset: () => {},
    onGone: () => {},
  })
  return {
    events,
    get durable() {
      return events.filter((event): event is DurableEvent => event.seq !== null)
    },
    types: () => events.filter(({ seq }) => seq !== null).map(({ type }) => type),
    async until<T extends ChatEvent['type']>(type: T, fits: (event: EventOf<T>) => boolean = () => true) {
      for (;;) {
        const waiting = wake.promise
        const found = events.find((event): event is EventOf<T> => event.type === type && fits(event as EventOf<T>))
        if (found !== undefined) return found
        await waiting
      }
    },
    [Symbol.dispose]() {
      stop()
      lease[Symbol.dispose]()
    },
  }
}
