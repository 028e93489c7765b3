import { createHash } from 'node:crypto'
import { isSafeId } from '@treeline/core'
import { idInName } from '../log-files.ts'
import type { HomePaths } from '../paths.ts'

const HASH_CHARS = 32

/** Names the saved columns of a log: our own by session id, others by where they are, as two may have the same id. */
export function columnsKey(paths: HomePaths, path: string): string {
  const id = idInName(path)
  if (paths.isSessionFile(path) && isSafeId(id)) return id
  return `at-${createHash('sha256').update(path).digest('hex').slice(0, HASH_CHARS)}`
}
