import { createInterface } from 'node:readline/promises'
import { addAbortSignal, type Readable, Writable } from 'node:stream'
import type { Screen } from './output/screen.ts'

export type Input = Readable & { readonly isTTY?: boolean }

/** What is typed, shown on `output`, or nowhere; nothing when the input ends. */
export async function ask(
  input: Input,
  output: Screen | undefined,
  prompt: string,
  signal: AbortSignal,
): Promise<string> {
  // What is asked at is a terminal, so it is one of Node's streams.
  const shown = output ?? new Writable({ write: (_bytes, _encoding, done) => done() })
  const asked = createInterface({ input, output: shown as Writable, terminal: input.isTTY === true })
  try {
    const ended = new Promise<string>((resolve, reject) => {
      asked.once('close', () => resolve(''))
      asked.once('SIGINT', () => reject(new DOMException('Stopped at a question.', 'AbortError')))
    })
    return await Promise.race([asked.question(prompt, { signal }), ended])
  } finally {
    asked.close()
  }
}

/** Whether something comes, or its end, before so long has passed. Where nothing does, nobody waits for it any more. */
export function comesWithin(input: Input, waitMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (hasCome: boolean) => {
      clearTimeout(timer)
      for (const event of ARRIVALS) input.off(event, come)
      signal.removeEventListener('abort', come)
      if (!hasCome) input.destroy()
      resolve(hasCome)
    }
    const come = () => end(true)
    const timer = setTimeout(() => end(false), waitMs)
    for (const event of ARRIVALS) input.on(event, come)
    // Whoever reads then is told.
    signal.addEventListener('abort', come, { once: true })
  })
}

const ARRIVALS = ['readable', 'end', 'close', 'error'] as const

export async function readAll(input: Input, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of addAbortSignal(signal, input)) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
