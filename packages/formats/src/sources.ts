import { realpathSync } from 'node:fs'
import { sep } from 'node:path'
import { folderSource, type SourceModule } from '@treeline/store'
import { translatedSource } from './translated-source.ts'
import { findUsualFolders, type UsualFoldersOptions } from './usual-folders.ts'

export interface UsualSourcesOptions extends UsualFoldersOptions {
  /** Our own, whose sessions are no other tool's. */
  readonly home: string
}

/**
 * Other tools' sessions where they usually are, for `openIndex`: one source for each tool that has a folder on this
 * machine. Reading them changes nothing there.
 *
 * @example
 * await using index = await openIndex({ home, sources: usualSources({ home: home.paths.home }) })
 */
export function usualSources({ home, ...options }: UsualSourcesOptions): SourceModule[] {
  const own = realPath(home)
  const isOurs = (folder: string) => folder === own || folder.startsWith(`${own}${sep}`)
  return findUsualFolders(options).flatMap(({ format, folders: found }) => {
    const { name, loadReader } = format
    const folders = found.filter((folder) => !isOurs(folder))
    if (folders.length === 0) return []
    return [loadReader === undefined ? folderSource({ name, folders, home }) : translatedSource({ name, folders })]
  })
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // It is not there yet.
    return path
  }
}
