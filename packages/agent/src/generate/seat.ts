import type { Session } from '@treeline/store'
import type { AgentEnv } from '../env.ts'

/** Room for one answer, in use or waited for, and the means to stop it. */
export interface Seat {
  readonly place: Promise<() => void>
  readonly signal: AbortSignal
  /** Nobody has let it in yet. */
  isWaiting(): boolean
  stop(): void
  /** Gives the room back, whatever has come of it. */
  leave(): void
}

export function takeSeat({ pool }: AgentEnv, { id }: Session, stopped: AbortSignal | undefined): Seat {
  const controller = new AbortController()
  const signal = stopped === undefined ? controller.signal : AbortSignal.any([controller.signal, stopped])
  const place = pool.enter(id, signal)
  let isWaiting = true
  const over = (): void => {
    isWaiting = false
  }
  // What went wrong is told to whoever waits for it, who may not have come yet.
  place.then(over, over)
  const stop = (): void => controller.abort()
  return {
    place,
    signal,
    isWaiting: () => isWaiting,
    stop,
    leave() {
      stop()
      // Where it was stopped while it waited there is nothing to give back.
      place.then((giveBack) => giveBack()).catch(() => {})
    },
  }
}
