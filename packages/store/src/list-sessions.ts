import type { Home } from './home.ts'
import { listLogs } from './log-files.ts'
import { type SessionSummary, summariseLog, unreadableFolder } from './session/summary.ts'

/** How much is read before others get their turn, some milliseconds; a file that is opened counts as so much. */
const BYTES_PER_TURN = 4 * 1024 * 1024
const FILE_COST_BYTES = 64 * 1024

/** What there is in a home, or of one project in it, from the files alone; the latest first. */
export async function listSessions(home: Home, cwd?: string): Promise<readonly SessionSummary[]> {
  const summaries: SessionSummary[] = []
  const unread = (dir: string, error: unknown) => summaries.push(unreadableFolder(dir, error))
  let unseenBytes = 0
  for (const path of listLogs(home, unread, cwd)) {
    const summary = await summariseLog(home.storage, path)
    // Two projects may share the name of a folder.
    if (cwd === undefined || summary.cwd === undefined || summary.cwd === cwd) summaries.push(summary)
    // One file after the other, but others get their turn.
    unseenBytes += summary.sizeBytes + FILE_COST_BYTES
    if (unseenBytes < BYTES_PER_TURN) continue
    unseenBytes = 0
    await new Promise(setImmediate)
  }
  return summaries.sort((a, b) => timeOf(b) - timeOf(a))
}

function timeOf({ lastActiveAt }: SessionSummary): number {
  const time = lastActiveAt === undefined ? Number.NaN : Date.parse(lastActiveAt)
  return Number.isNaN(time) ? 0 : time
}
