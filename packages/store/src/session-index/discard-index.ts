import type { Home } from '../home.ts'
import type { HomePaths } from '../paths.ts'
import { findIdentity, removeIndex } from './index-database.ts'
import { withIndexLock } from './index-lock.ts'
import { Pace } from './pace.ts'
import { removePage } from './save-page.ts'

/**
 * Removes the index, when nobody is bringing it up to date. Whoever has it open notices with the next question; it is
 * built anew from the sessions (I6).
 */
export async function discardIndex({ paths }: Pick<Home, 'paths'>, signal?: AbortSignal): Promise<void> {
  await withIndexLock(paths, createPace(signal), async () => {
    removePage(paths)
    removeIndex(paths.indexFile)
  })
}

/** Only if it still is the one that was found to be broken. */
export async function discardBroken(paths: HomePaths, identity: string): Promise<void> {
  await withIndexLock(paths, createPace(), async () => {
    if (findIdentity(paths.indexFile) !== identity) return
    removePage(paths)
    removeIndex(paths.indexFile)
  })
}

function createPace(signal: AbortSignal = new AbortController().signal): Pace {
  return new Pace(signal)
}
