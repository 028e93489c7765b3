import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { TreelineError } from '@treeline/core'
import { importSession, openSessionFile } from '@treeline/formats'
import { type Home, type SessionIndex, type SessionStore, storageError } from '@treeline/store'
import type { OtherTools } from '../services.ts'

export interface FileToolsOptions {
  readonly home: Home
  readonly store: SessionStore
  readonly index: Pick<SessionIndex, 'find'>
}

/** Every file is called so while it is taken in: what a format makes of the name is the same each time. */
const FILE_NAME = 'file.jsonl'
const ABANDONED_MS = 24 * 3_600_000

/** Other tools' sessions where they are on this disk, as the index lists them. */
export function fileTools({ home, store, index }: FileToolsOptions): OtherTools {
  return {
    async open(sessionId) {
      const found = (await index.find(sessionId)).filter(({ id, source }) => id === sessionId && source !== 'treeline')
      const [one, ...others] = found
      if (one === undefined) return undefined
      if (others.length > 0) {
        const paths = found.map(({ path }) => path).join(', ')
        throw new TreelineError(
          'id_in_use',
          `Several files are session ${sessionId}: ${paths}. Import the one you mean.`,
        )
      }
      return (await openSessionFile(store, one.path)).session
    },
    async import(bytes, { format }) {
      home.storage.ensureDirSync(home.paths.incoming)
      await removeAbandoned(home.paths.incoming)
      const folder = await mkdtemp(join(home.paths.incoming, 'file-'))
      const path = join(folder, FILE_NAME)
      try {
        await write(path, bytes)
        const { sessionId, added, skipped, notes } = await importSession(store, path, { format })
        return { sessionId, added, skipped, warnings: notes.map(({ message }) => withoutPath(message, path)) }
      } catch (error) {
        if (error instanceof TreelineError) throw told(error, path)
        throw error
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

/** What a server that was killed left behind. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    try {
      const { mtimeMs } = await stat(path)
      if (mtimeMs < Date.now() - ABANDONED_MS) await rm(path, { recursive: true, force: true })
    } catch {
      // Somebody else removed it just now, or the next import tries again.
    }
  }
}

async function write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const some of bytes) {
      await file.appendFile(some).catch((error) => {
        throw storageError(error, 'The file could not be taken in', path)
      })
    }
  } finally {
    await file.close()
  }
}

/** Who sent the file knows nothing of where it was kept meanwhile. What is wrong with it is the sender's, not ours (500). */
function told({ code, message, details }: TreelineError, path: string): TreelineError {
  return new TreelineError(code === 'damaged' ? 'validation_failed' : code, withoutPath(message, path), details)
}

function withoutPath(message: string, path: string): string {
  return message.replaceAll(path, 'The file')
}
