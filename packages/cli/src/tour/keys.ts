import type { ReadStream } from 'node:tty'

export type Answer = 'next' | 'quit' | 'interrupt'

const INTERRUPT = '\u0003'
const END_OF_INPUT = '\u0004'

/** Waits for one key. Input that ends instead means that nobody is there to press one: go on. */
export function waitForKey(input: ReadStream): Promise<Answer> {
  return new Promise((resolve) => {
    const finish = (answer: Answer): void => {
      input.off('data', onData).off('end', onEnd)
      input.setRawMode(false)
      input.pause()
      resolve(answer)
    }
    const onData = (key: Buffer | string): void => finish(answerOf(String(key)))
    const onEnd = (): void => finish('next')
    input.setRawMode(true)
    input.on('data', onData).on('end', onEnd)
    input.resume()
  })
}

function answerOf(key: string): Answer {
  if (key.startsWith(INTERRUPT)) return 'interrupt'
  return key.toLowerCase().startsWith('q') || key.startsWith(END_OF_INPUT) ? 'quit' : 'next'
}
