import type { Home } from '../home.ts'
import { idInName } from '../log-files.ts'
import { readListedId } from '../session/summary.ts'
import type { FileStat, StorageReader } from '../storage/storage.ts'
import { errnoOf } from '../storage-error.ts'
import { type CopiedBytes, type CopyOptions, copyBytes, openSource, UnreadSource } from './copy-bytes.ts'
import { findWholeEnd } from './whole-lines.ts'

const MAX_TRIES = 4

/**
 * Copies one file of the home as it was at one moment. Logs only grow, so what they held under their lock, up to a whole
 * line, is what they held then, whoever appends meanwhile. `undefined` when there is no such file any more.
 */
export async function copyStored(
  home: Home,
  path: string,
  to: string,
  options: CopyOptions,
): Promise<CopiedBytes | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      const copied = await copyOnce(home, path, to, options)
      if (copied !== undefined) return copied
      if (tries === MAX_TRIES) throw new UnreadSource(path, new Error('it is replaced again and again'))
    } catch (error) {
      if (!(error instanceof UnreadSource)) throw error
      if (error.code === 'ENOENT') return undefined
      if (tries === MAX_TRIES) throw error
    }
    // It may have been cut or replaced under our hands: what was copied so far is not a copy of anything.
    if (home.storage.existsSync(to)) await home.storage.unlink(to)
  }
}

/** `undefined` when the file was replaced in the meantime: the copy is of one that somebody had reason to replace. */
async function copyOnce(home: Home, path: string, to: string, options: CopyOptions): Promise<CopiedBytes | undefined> {
  const { storage } = home
  const file = openSource(storage, path)
  try {
    const { identity } = statOpen(file, path)
    const end = await findEnd(home, file, path)
    const copied = await copyBytes(storage, { file, path, end }, to, options)
    return isReplaced(home, path, identity) ? undefined : copied
  } finally {
    file.closeSync()
  }
}

async function findEnd({ storage, locks }: Home, file: StorageReader, path: string): Promise<number> {
  if (!path.endsWith('.jsonl')) return statOpen(file, path).size
  const id = readListedId(storage, path) ?? idInName(path)
  // Without the lock (a process that hangs holds it; the disk takes no lock files) the last line may be half written.
  // It is left out then, and what is before it is as good.
  const { size } = await locks.run(id, () => file.statSync()).catch(() => statOpen(file, path))
  try {
    return await findWholeEnd(file, size)
  } catch (error) {
    throw new UnreadSource(path, error)
  }
}

function statOpen(file: StorageReader, path: string): FileStat {
  try {
    return file.statSync()
  } catch (error) {
    throw new UnreadSource(path, error)
  }
}

function isReplaced({ storage }: Home, path: string, identity: string): boolean {
  try {
    return storage.statSync(path).identity !== identity
  } catch (error) {
    // Gone since: then this is the last there was of it.
    if (errnoOf(error) === 'ENOENT') return false
    throw new UnreadSource(path, error)
  }
}
