import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Watchdog } from './watchdog.ts'

/**
 * The parts of an answer as they come. Throws what the stream says went wrong, and the signal's reason when it is aborted,
 * whether the model heeds it or not. Lets go of the stream in any case.
 */
export async function* callModel(
  language: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  { signal, beat }: Watchdog,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const { stream } = await orAborted(() => language.doStream({ ...options, abortSignal: signal }), signal)
  const reader = stream.getReader()
  // Ends a read that is waiting, too.
  const letGo = (): void => {
    reader.cancel().catch(() => {})
  }
  signal.addEventListener('abort', letGo, { once: true })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return
      beat()
      if (value.type === 'error') throw value.error
      yield value
    }
  } finally {
    signal.removeEventListener('abort', letGo)
    letGo()
  }
}

function orAborted<T>(start: () => PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = (): void => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    start()
      .then(resolve, reject)
      .then(() => signal.removeEventListener('abort', stop))
  })
}
