import { dirname, isAbsolute, join } from 'node:path'
import { TreelineError } from '@treeline/core'
import { columnsKey } from '../log/columns-key.ts'
import type { LogFiles } from '../log-files.ts'

const MAX_PATH_BYTES = 64 * 1024

/**
 * Remembers a log outside of the home that is written to. Its large values are blobs of the home, and whoever collects
 * those has to know that somebody needs them. Durable when it resolves; to be done before the first line is appended.
 */
export async function rememberInPlaceLog(home: LogFiles, path: string): Promise<void> {
  const { storage, paths } = home
  const file = noteOf(home, path)
  if (storage.existsSync(file)) {
    // Whoever made it may have been killed before that.
    await storage.syncDir(paths.inPlace)
    return
  }
  storage.ensureDirSync(paths.inPlace)
  await storage.writeText(file, `${JSON.stringify(path)}\n`)
}

/** One that was deleted refers to nothing. When its folder is gone too, a disk may only not be there right now. */
export function* listInPlaceLogs(home: LogFiles): Generator<string> {
  const { storage, paths } = home
  for (const file of storage.listFilesSync(paths.inPlace, 'at-*')) {
    const path = readNote(home, file)
    if (storage.existsSync(path)) yield path
    else if (!storage.existsSync(dirname(path))) {
      throw unknown(`The session ${path} was continued in place and cannot be found. Make its folder reachable`, file)
    }
  }
}

function readNote(home: LogFiles, file: string): string {
  const reader = home.storage.openReader(file)
  try {
    const bytes = Buffer.alloc(Math.min(MAX_PATH_BYTES, reader.statSync().size))
    const path: unknown = JSON.parse(bytes.toString('utf8', 0, reader.readSync(bytes, 0)))
    // By its name, which is a hash of the path: nothing else that someone put there is opened (K3).
    if (typeof path === 'string' && isAbsolute(path) && noteOf(home, path) === file) return path
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  } finally {
    reader.closeSync()
  }
  throw unknown('Which session was continued in place cannot be read. Restore the file from a backup', file)
}

function noteOf({ paths }: LogFiles, path: string): string {
  return join(paths.inPlace, columnsKey(paths, path))
}

function unknown(what: string, file: string): TreelineError {
  const message = `${what}, or, if the session is gone for good, delete ${file}. Until then no blob counts as unused.`
  return new TreelineError('damaged', message)
}
