// Treeline's chat as people have it: the built program in a real terminal, with real keys.

import { median } from '../statistics.ts'
import { EMPTY_EDITOR, type TimedKey, timeKey, typed } from './chat-keys.ts'
import { type Action, type Job, prepared } from './job.ts'
import { runChild } from './run-child.ts'
import { startPrompt } from './start-prompt.ts'
import { Terminal } from './terminal.ts'
import { settledMemory } from './terminal-memory.ts'

const WARM_KEYS = 20
const KEYS = 40
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'
const ESCAPE = '\u001b'

/** One letter after the other. Facts: how many were seen, p50Ms. */
const key: Action = async (job) => {
  const terminal = await openChat(job)
  return prepared(
    async () => {
      const times: number[] = []
      let text = ''
      for (let i = 0; i < WARM_KEYS + KEYS; i++) {
        const letter = ALPHABET[i % ALPHABET.length]!
        text += letter
        const { ms } = await timeKey(terminal, letter, typed(text))
        if (i >= WARM_KEYS) times.push(ms)
      }
      return times
    },
    async (times) => {
      await terminal.kill()
      return { keys: times.length, p50Ms: median(times) }
    },
  )
}

/**
 * Types a word into the search of the tree, letter by letter: at once, while what entries say is still being read, and again
 * when all is. Facts: hits of the whole word, p50Ms, slowestMs; before that readingMs and, until all was read, readMs.
 */
const search: Action = async (job) => {
  const terminal = await openChat(job)
  await timeKey(terminal, '/tree', typed('/tree'))
  await timeKey(terminal, '\r', /Tree · /)
  const word = job.query!
  const type = async (isShown: (query: string) => RegExp): Promise<TimedKey[]> => {
    const keys: TimedKey[] = []
    for (let i = 1; i <= word.length; i++) {
      keys.push(await timeKey(terminal, word[i - 1]!, isShown(word.slice(0, i))))
    }
    return keys
  }
  const start = performance.now()
  const reading = await type((query) => new RegExp(`Search: ${query} · `))
  const readMs = (await terminal.seen(wholeResult(word))).atMs - start
  await timeKey(terminal, ESCAPE, /Tree · /)
  return prepared(
    () => type(wholeResult),
    async (keys) => {
      await terminal.kill()
      const times = keys.map(({ ms }) => ms)
      const hits = Number(keys.at(-1)!.match[1]!.replaceAll(',', ''))
      const readingMs = median(reading.map(({ ms }) => ms))
      return { hits, p50Ms: median(times), slowestMs: Math.max(...times), readingMs, readMs }
    },
  )
}

/** Until all entries were read, how many were stands at the end of the line, behind the number of hits. */
function wholeResult(query: string): RegExp {
  return new RegExp(`Search: ${query} · [\\d,]+ of ([\\d,]+)[^·\\r\\n\\u001b]*[\\r\\n\\u001b]`)
}

/** Facts: what the program holds when it has come to rest, and the word of the session that is on its screen. */
const memory: Action = (job) =>
  prepared(
    () => openChat(job),
    async (terminal) => {
      const { rssBytes, peakBytes } = await settledMemory(terminal.pid)
      await terminal.leave()
      return { word: job.terminal!.word ?? '', rssBytes, peakBytes }
    },
  )

/** Resolves when it takes keys. */
async function openChat({ home, terminal: options }: Job): Promise<Terminal> {
  const { program, cwd, session, word } = options!
  const words = session === undefined ? [] : ['--session', session]
  const terminal = new Terminal([program, ...words], cwd, { TREELINE_HOME: home })
  if (word !== undefined) await terminal.seen(new RegExp(word))
  await terminal.seen(EMPTY_EDITOR)
  await terminal.seen(/\[\?2004h/)
  return terminal
}

await runChild({ start: startPrompt, key, search, memory })
