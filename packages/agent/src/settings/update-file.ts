import { realpathSync } from 'node:fs'
import { type Home, storageError } from '@treeline/store'

/** What it takes to change a file of the home. */
export type FileHome = Pick<Home, 'locks' | 'paths' | 'storage'>

/** One for all such files: they are written once in a while, for a moment. */
const LOCK = 'settings'

/**
 * Replaces a file by what `change` makes of it, whole or not at all, 0600, and durably. Nobody who does the same gets in
 * between, in whatever process. A link stays one: the file it leads to is replaced.
 */
export async function updateFile(home: FileHome, path: string, change: () => string): Promise<void> {
  await home.locks.run(LOCK, () => {
    const text = change()
    try {
      home.storage.writeTextSync(findTarget(path), text)
    } catch (error) {
      throw storageError(error, 'The change could not be saved', path)
    }
  })
}

function findTarget(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return path
    throw error
  }
}
