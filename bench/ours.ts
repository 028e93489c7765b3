// What Treeline does in the rows about the store: the one module of bench/ that knows its API.
// Each function prepares, untimed, and returns what is timed (`prepared(run, facts)`, child/job.ts). The facts each
// returns are what its row checks.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openFileStore, type Session } from '../packages/store/src/index.ts'
import { driveAppends, percentile } from './child/drive-appends.ts'
import { type Facts, type Job, type Prepared, prepared } from './child/job.ts'
import { factsOfSummaries } from './child/summaries.ts'
import { makeMessages } from './inputs/messages.ts'

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
    (found) =>
      factsOfSummaries(
        found.map(({ id, firstPrompt, lastActiveAt, messageCount }) => ({
          id: id ?? '',
          firstPrompt: firstPrompt ?? '',
          lastActivityMs: Date.parse(lastActiveAt ?? ''),
          messageCount,
        })),
      ),
  )
}

function factsOfSession(session: Session): Facts {
  return { entries: session.tree.rowCount, leafId: session.leafId ?? '' }
}
