import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import type { Format, UsualPlaces } from './format.ts'
import { formats } from './registry.ts'

export interface UsualFoldersOptions {
  readonly env?: UsualPlaces['env'] | undefined
  /** The user's. */
  readonly userHome?: string | undefined
}

export interface UsualFolders {
  readonly format: Format
  readonly folders: readonly string[]
}

/**
 * Of the places where other tools keep sessions those that exist, each once, with links followed; a place that two tools
 * share is the first one's. Nothing is made or changed.
 */
export function findUsualFolders({ env = process.env, userHome }: UsualFoldersOptions = {}): UsualFolders[] {
  const places: UsualPlaces = { env, home: userHome ?? (env.HOME || homedir()) }
  const taken = new Set<string>()
  return formats.flatMap((format) => {
    const found = (format.folders?.(places) ?? []).map(findFolder).filter((folder) => folder !== undefined)
    const folders = [...new Set(found)].filter((folder) => !taken.has(folder))
    for (const folder of folders) taken.add(folder)
    return folders.length === 0 ? [] : [{ format, folders }]
  })
}

function findFolder(path: string): string | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? realpathSync.native(path) : undefined
  } catch {
    // Not for us to see (I7).
    return undefined
  }
}
