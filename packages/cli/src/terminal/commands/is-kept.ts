import { existsSync } from 'node:fs'
import type { Session } from '@treeline/store'

/** Whether a session is on a disk; with `--no-session` it is in memory, and nothing of it may be kept unasked. */
export function isKept({ path }: Session): boolean {
  return existsSync(path)
}
