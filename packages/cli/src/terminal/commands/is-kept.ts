import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Session } from '@treeline/store'

/**
 * Whether a session is on a disk; with `--no-session` it is in memory, and nothing of it may be kept unasked. By its folder:
 * one whose file was deleted underneath is no reason to keep nothing from then on.
 */
export function isKept({ path }: Session): boolean {
  return existsSync(dirname(path))
}
