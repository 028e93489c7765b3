// What Treeline does in the rows about the store: the one module of bench/ that knows its API.
// Each function prepares, untimed, and returns what is timed (`prepared(run, facts)`, child/job.ts). The facts each
// returns are what its row checks.
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  type IndexedSession,
  openFileStore,
  openHome,
  openIndex,
  type SearchPage,
  type Session,
  type SessionSummary,
} from '../packages/store/src/index.ts'
import { isIndexed, mergeIndex } from '../packages/store/src/prompt-history/history-index.ts'
import { openPromptHistory } from '../packages/store/src/prompt-history/prompt-history.ts'
import { describeNode } from '../packages/store/src/search/describe-node.ts'
import { openDatabase } from '../packages/store/src/sqlite.ts'
import { driveAppends, percentile } from './child/drive-appends.ts'
import { type Facts, type Job, type Prepared, prepared } from './child/job.ts'
import { factsOfSummaries, type Summary } from './child/summaries.ts'
import { makeMessages } from './inputs/messages.ts'
import { QUERIES } from './inputs/prompts.ts'

type Listed = Pick<SessionSummary | IndexedSession, 'id' | 'firstPrompt' | 'lastActiveAt' | 'messageCount'>

/** Not measured: opens `path` and leaves its columns saved in `home`. Facts: entries. */
export async function saveColumns({ home, path }: Job): Promise<Prepared> {
  const store = await openFileStore({ home })
  return prepared(
    async () => {
      const session = await store.openPath(path!)
      const entries = session.tree.rowCount
      await session.close()
      return entries
    },
    (entries) => ({ entries }),
  )
}

/** Opens `path` with the columns `saveColumns` left. Facts: entries, leafId. */
export async function openWarm({ home, path }: Job): Promise<Prepared> {
  const store = await openFileStore({ home })
  return prepared(() => store.openPath(path!), factsOfSession)
}

/** Opens `path` after removing, untimed, whatever was saved. Facts: entries, leafId. */
export async function openCold(job: Job): Promise<Prepared> {
  rmSync(join(job.home, 'index'), { recursive: true, force: true })
  return openWarm(job)
}

/** Opens `path` warm and builds the line of its leaf, ready to send. Facts: leafId, lineMessages. */
export async function firstLine({ home, path }: Job): Promise<Prepared> {
  const store = await openFileStore({ home })
  return prepared(
    async () => {
      const session = await store.openPath(path!)
      return { session, line: await session.line() }
    },
    ({ session, line }) => {
      const lineMessages = line.messages.reduce((sum, { nodeIds }) => sum + nodeIds.length, 0)
      return { leafId: session.leafId ?? '', lineMessages }
    },
  )
}

/**
 * Appends `append.count` messages (inputs/messages.ts) through `driveAppends`: to `path` if given, several processes
 * perhaps, or to a new session in `home`. Facts: appended (as read back), p99Ms.
 */
export async function append({ home, path, append: options }: Job): Promise<Prepared> {
  const durability = options!.mode === 'synced' ? 'synced' : 'written'
  const store = await openFileStore({ home, durability })
  const session = path === undefined ? await store.create({ cwd: '/home/dev/project' }) : await store.openPath(path)
  const messages = makeMessages(1_024)
  const added: string[] = []
  const send = async (index: number): Promise<void> => {
    const { id } = await session.append({ type: 'message', message: messages[index % messages.length]! })
    added.push(id)
  }
  for (let i = 0; i < 2; i++) await send(i)
  added.length = 0
  return prepared(
    () => driveAppends(send, options!),
    async (tookMs) => {
      const p99Ms = percentile(tookMs, 0.99)
      await store.close()
      const again = await openFileStore({ home })
      const read = await again.openPath(session.path)
      const appended = (await read.readEntries(added)).filter((entry) => entry !== undefined).length
      return { appended, p99Ms }
    },
  )
}

/** From the open session, forks the path to its leaf into a new one, synced. Facts: messages on the new path. */
export async function fork({ home, path }: Job): Promise<Prepared> {
  const store = await openFileStore({ home })
  const session = await store.openPath(path!)
  return prepared(
    () => store.fork(session),
    async (made) => {
      const { messages } = await made.context()
      return { messages: messages.length, isWritten: (await store.exists(made.id)) ? 1 : 0 }
    },
  )
}

/** The summaries of all sessions in `home`, from their files alone. Facts: `factsOfSummaries`. */
export async function list({ home }: Job): Promise<Prepared> {
  const store = await openFileStore({ home })
  return prepared(
    () => store.list(),
    (found) => factsOfSummaries(found.map(summaryOf)),
  )
}

/** Not measured: leaves an index of `home` that knows all of it. Facts: sessions. */
export async function buildIndex({ home }: Job): Promise<Prepared> {
  const index = await openIndex({ home: openHome({ home }) })
  return prepared(
    () => index.refresh(),
    async () => {
      const { sessions } = await index.totals()
      await index.close()
      return { sessions }
    },
  )
}

/** Opens the index and lists `limit` sessions. Facts: `factsOfSummaries`. */
export async function listIndexed({ home, limit }: Job): Promise<Prepared> {
  const opened = openHome({ home })
  return prepared(
    async () => (await openIndex({ home: opened })).list({ limit }),
    ({ sessions }) => factsOfSummaries(sessions.map(summaryOf)),
  )
}

/** What somebody typed before. */
const EARLIER = ['größer', 'result', 'with', 'buffer', 'index cache', 'привет', 'naïve', 'tree', 'queue', 'parser']

/** Finds the newest 50 nodes with `query` in them; the index is open and was asked before, as when somebody types. */
export async function search({ home, query }: Job): Promise<Prepared> {
  const index = await openIndex({ home: openHome({ home }) })
  for (const words of EARLIER) await index.search(words, { limit: 50 })
  return prepared(
    () => index.search(query!, { limit: 50 }),
    (page) => factsOfHits(query!, page),
  )
}

/** The same in a program that has just started; opening the index counts. */
export async function searchFirst({ home, query }: Job): Promise<Prepared> {
  const opened = openHome({ home })
  return prepared(
    async () => (await openIndex({ home: opened })).search(query!, { limit: 50 }),
    (page) => factsOfHits(query!, page),
  )
}

/** Hits count if they are all that was asked for, newest first, with what was looked for in the snippet. */
function factsOfHits(query: string, { hits, pending }: SearchPage): Facts {
  const words = query.toLowerCase().split(' ')
  const times = hits.map(({ time }) => Date.parse(time ?? ''))
  const isSorted = times.every((time, i) => i === 0 || time <= times[i - 1]!)
  const isShown = hits.every(({ snippet }) => words.some((word) => snippet.text.toLowerCase().includes(word)))
  return { hits: pending === 0 && isSorted && isShown ? hits.length : -1 }
}

/** Not measured: leaves the prompts of `home` indexed, as they are when a history was open for some seconds. */
export async function indexPrompts({ home, path }: Job): Promise<Prepared> {
  const history = openPromptHistory({ home: openHome({ home }) })
  const database = openDatabase(path!)
  return prepared(
    async () => {
      while (!isIndexed(database)) await history.search('', { limit: 1 })
      await history.close()
      while (!mergeIndex(database));
      database.close()
    },
    () => ({}),
  )
}

/** Searches an open history. Facts: found, the ids. */
export async function searchPrompts({ home, prompts: mode }: Job): Promise<Prepared> {
  const history = openPromptHistory({ home: openHome({ home }) })
  return prepared(
    async () => {
      const found: number[] = []
      for (const query of QUERIES[mode!]) found.push(...(await history.search(query, { mode })).map(({ id }) => id))
      return found
    },
    (ids) => ({ found: ids.join(' ') }),
  )
}

/** Facts: bytes of the index and the saved columns, and of the text that is in it. */
export async function indexSize({ home }: Job): Promise<Prepared> {
  const store = await openFileStore({ home })
  return prepared(
    async () => {
      const paths = (await store.list()).map(({ path }) => path)
      let textBytes = 0
      for (const path of paths) {
        await using session = await store.openPath(path, { readOnly: true })
        for await (const entry of session.entries()) textBytes += Buffer.byteLength(describeNode(entry)?.text ?? '')
      }
      return { sessions: paths.length, textBytes }
    },
    ({ sessions, textBytes }) => {
      const folder = join(home, 'index')
      const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
      return { sessions, textBytes, indexBytes: sizes.reduce((sum, size) => sum + size, 0) }
    },
  )
}

/** As `append`, to a new session in `home`, while the index of the home at `path` is built from nothing. */
export async function appendWhileIndexing({ home, path, ...job }: Job): Promise<Prepared> {
  rmSync(join(path!, 'index'), { recursive: true, force: true })
  const index = await openIndex({ home: openHome({ home: path! }) })
  const appending = await append({ ...job, home })
  let isBuilt = false
  index.refresh().then(() => {
    isBuilt = true
  })
  return prepared(
    () => appending.run(),
    async (result) => {
      const isStillBuilding = isBuilt ? 0 : 1
      // What is left to build ends with this process.
      return { ...(await appending.facts(result)), isStillBuilding }
    },
  )
}

function summaryOf({ id, firstPrompt, lastActiveAt, messageCount }: Listed): Summary {
  return {
    id: id ?? '',
    firstPrompt: firstPrompt ?? '',
    lastActivityMs: Date.parse(lastActiveAt ?? ''),
    messageCount,
  }
}

function factsOfSession(session: Session): Facts {
  return { entries: session.tree.rowCount, leafId: session.leafId ?? '' }
}
