import { type Call, createCaller, openStream, type Stream } from '@treeline/protocol'
import { createStore, type Store } from '../state/store.ts'
import { fetchOrTakeEarly } from './early-answer.ts'

export type ConnectionState = 'connecting' | 'open' | 'waiting' | 'closed'

/** The one server of this page: where it was loaded from. */
export interface Connection {
  readonly call: Call
  readonly stream: Stream
  /** Whether what others do arrives. */
  readonly state: Store<ConnectionState>
  /** Whether that has failed and is being tried again: the first attempt is no failure. */
  readonly isOffline: Store<boolean>
}

export function connect(origin: string = location.origin): Connection {
  const state = createStore<ConnectionState>('connecting')
  const isOffline = createStore(false)
  const url = new URL('/api/chat/ws', origin)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return {
    call: createCaller({ baseUrl: origin, fetch: fetchOrTakeEarly }),
    stream: openStream({
      connect: (subprotocol) => new WebSocket(url, subprotocol),
      onState: (next) => {
        state.set(next)
        if (next !== 'connecting') isOffline.set(next !== 'open')
      },
    }),
    state,
    isOffline,
  }
}
