/** Why a call was given up: nothing came for too long. */
export class StallError extends Error {
  override readonly name = 'StallError'
  readonly stallMs: number

  constructor(stallMs: number) {
    super(`Nothing came for ${stallMs} ms`)
    this.stallMs = stallMs
  }
}

export interface Watchdog {
  /** Aborted with a `StallError` when nothing came for too long, or with the reason of the signal it was made from. */
  readonly signal: AbortSignal
  /** Something came. Cheap: call it for every chunk. */
  beat(): void
  end(): void
}

/** Watches a call that has to say something every `stallMs`. 0 waits for ever. */
export function withWatchdog(signal: AbortSignal, stallMs: number): Watchdog {
  const controller = new AbortController()
  const forward = (): void => controller.abort(signal.reason)
  if (signal.aborted) forward()
  else signal.addEventListener('abort', forward, { once: true })
  let last = performance.now()
  let timer: NodeJS.Timeout | undefined
  // A beat only notes the time, for there may be thousands in a second; the timer looks at it when it is due.
  const look = (): void => {
    const leftMs = last + stallMs - performance.now()
    if (leftMs > 0) timer = setTimeout(look, leftMs)
    else controller.abort(new StallError(stallMs))
  }
  const end = (): void => {
    clearTimeout(timer)
    signal.removeEventListener('abort', forward)
  }
  if (stallMs > 0 && !signal.aborted) timer = setTimeout(look, stallMs)
  controller.signal.addEventListener('abort', end, { once: true })
  return {
    signal: controller.signal,
    beat() {
      last = performance.now()
    },
    end,
  }
}
