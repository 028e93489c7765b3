import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import type { Sink } from '@treeline/formats'

export type Write = (sink: Sink) => Promise<void>

/**
 * What is written, as it is written, no faster than it is taken. Resolves with the first of it, so that what cannot be
 * begun is refused properly; what fails later cuts the answer off. `done` is called in any case, once.
 */
export async function writtenStream(write: Write, done: () => void): Promise<Readable> {
  const stream = new PassThrough({ highWaterMark: 256 * 1024 })
  const gone = new AbortController()
  stream.once('close', () => gone.abort())
  const begun = Promise.withResolvers<void>()
  const sink: Sink = async (text) => {
    gone.signal.throwIfAborted()
    if (text === '') return
    begun.resolve()
    if (!stream.write(text)) await once(stream, 'drain', { signal: gone.signal })
  }
  write(sink)
    .then(
      () => {
        begun.resolve()
        stream.end()
      },
      (error) => {
        begun.reject(error)
        if (!stream.destroyed) stream.destroy(error)
      },
    )
    .finally(done)
  // Until somebody reads it nobody else hears of it.
  stream.on('error', () => {})
  await begun.promise
  return stream
}
