import { Flag, type Tree } from '@treeline/core'
import type { Home } from '../home.ts'
import { FileLog } from '../log/file-log.ts'
import { notFound } from '../log/log-errors.ts'
import type { FileStat, SessionStorage } from '../storage/storage.ts'
import { errnoOf, storageError } from '../storage-error.ts'

/** What has to be known of a session before it may be removed. */
export interface InspectedLog {
  /** As in its header; it names the session's lock. Empty when there is no header. */
  readonly id: string
  readonly isPinned: boolean
  /** An answer was begun and never finished, here or by a process that died. */
  readonly isGenerating: boolean
  /** As it was before it was read: while both are the same, all of this holds. */
  readonly identity: string
  readonly sizeBytes: number
}

/** Reads the log itself, not the index: what is decided on it cannot be taken back by everyone. */
export async function inspectLog(
  { storage, locks }: Pick<Home, 'storage' | 'locks'>,
  path: string,
): Promise<InspectedLog> {
  const { size, identity } = statLog(storage, path)
  const log = await FileLog.open({ storage, locks, path, readOnly: 'asked' })
  try {
    const { tree, header } = log
    const { session } = tree.edits
    return {
      id: header.id,
      isPinned: session.get('pinned') === true || session.get('starred') === true,
      isGenerating: hasGenerating(tree),
      identity,
      sizeBytes: size,
    }
  } finally {
    await log.close()
  }
}

function statLog(storage: SessionStorage, path: string): FileStat {
  try {
    return storage.statSync(path)
  } catch (error) {
    throw errnoOf(error) === 'ENOENT' ? notFound(path) : storageError(error, 'The session cannot be looked at', path)
  }
}

function hasGenerating({ ids, columns }: Tree): boolean {
  const { flags } = columns
  for (let ref = 1; ref < ids.count; ref++) if ((flags[ref]! & Flag.generating) !== 0) return true
  return false
}
