/** npm passes Ctrl+C on to us, who have had it from the terminal already: those are one. */
const SAME_MS = 700

/** When to stop: the command's own signal (Ctrl+C, SIGTERM), or the terminal being closed. */
export interface StopSignals extends Disposable {
  readonly signal: AbortSignal
}

/**
 * The first one asks to stop in order. Another, somewhat later, ends the process at once: whoever presses Ctrl+C twice does
 * not want to wait.
 */
export function watchStopSignals(signal: AbortSignal, leave: (code: number) => void = process.exit): StopSignals {
  const hungUp = new AbortController()
  let firstAt: number | undefined
  const onSignal = (): void => {
    const now = performance.now()
    firstAt ??= now
    if (now - firstAt > SAME_MS) leave(130)
  }
  const onHangUp = (): void => {
    onSignal()
    hungUp.abort()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  process.on('SIGHUP', onHangUp)
  return {
    signal: AbortSignal.any([signal, hungUp.signal]),
    [Symbol.dispose]() {
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
      process.off('SIGHUP', onHangUp)
    },
  }
}
