import { isSafeId } from '@treeline/core'
import { idInName } from '../log-files.ts'
import type { HomePaths } from '../paths.ts'
import { pathHash } from './path-hash.ts'

/** Names the saved columns of a log: our own by session id, others by where they are, as two may have the same id. */
export function columnsKey(paths: HomePaths, path: string): string {
  const id = idInName(path)
  if (paths.isSessionFile(path) && isSafeId(id)) return id
  return `at-${pathHash(path)}`
}
