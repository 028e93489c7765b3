import type { Input } from '../asking.ts'
import { isInForeground } from './foreground.ts'

/** Tells of every Enter at the terminal, for as long as it is ours. What else is typed counts for nothing. */
export function onEnter(input: Input, tell: () => void): Disposable {
  const onData = (bytes: Buffer | string): void => {
    if (bytes.includes('\n')) tell()
  }
  const listen = (): void => {
    input.off('data', onData)
    if (isInForeground()) input.on('data', onData).resume()
    else input.pause()
  }
  // A terminal that is gone is no reason to stop.
  const onError = (): void => {}
  input.on('error', onError)
  // Sent by `fg` and `bg`.
  process.on('SIGCONT', listen)
  listen()
  return {
    [Symbol.dispose]() {
      process.off('SIGCONT', listen)
      input.off('data', onData).off('error', onError).pause()
    },
  }
}
