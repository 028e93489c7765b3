import type { Home } from '../home.ts'
import { FileLog } from '../log/file-log.ts'
import { type SessionSummary, summariseLog } from '../session/summary.ts'
import type { TrashItem } from './trash-item.ts'

/** Of a larger log only a name that was given by itself is found; to learn more all of it would have to be read. */
const MAX_READ_BYTES = 64 * 1024 * 1024

/** What a list shows of a session in the trash, from its log alone: an `item.json` may say anything (K3). */
export async function summariseTrashed(home: Home, item: TrashItem): Promise<SessionSummary | undefined> {
  const log = item.files.find(({ from }) => home.paths.isSessionFile(from))
  if (log === undefined) return undefined
  const summary = await summariseLog(home.storage, log.path)
  return log.sizeBytes > MAX_READ_BYTES ? summary : { ...summary, name: await readName(home, log.path, summary.name) }
}

/** A name may have been given together with something else, in one edit. */
async function readName(
  { storage, locks }: Home,
  path: string,
  known: string | undefined,
): Promise<string | undefined> {
  try {
    const log = await FileLog.open({ storage, locks, path, readOnly: 'asked' })
    const { name } = log.tree.edits
    await log.close()
    return name === undefined ? known : (name ?? undefined)
  } catch {
    // What cannot be read is listed all the same (I7); to open it will say what is wrong.
    return known
  }
}
