import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The folders whose files speak for a project. */
export interface Project {
  /** Where one works first, then upwards to the folder with `.git`; without one up to the top of the file system. */
  readonly folders: readonly string[]
  /** The folder with `.git`, else where one works. */
  readonly root: string
  /**
   * Whose files count: one's own, the system's, and those of whoever owns the folder one works in. Anybody can put
   * something into a shared folder further up.
   */
  readonly owners: ReadonlySet<number>
}

export function findProject(cwd: string): Project {
  const start = existsSync(cwd) ? realpathSync(cwd) : resolve(cwd)
  const folders: string[] = []
  for (let at = start; ; at = dirname(at)) {
    folders.push(at)
    if (existsSync(join(at, '.git'))) return { folders, root: at, owners: ownersOf(start) }
    if (dirname(at) === at) return { folders, root: start, owners: ownersOf(start) }
  }
}

function ownersOf(folder: string): ReadonlySet<number> {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid
  return new Set([0, process.getuid?.(), owner].filter((id) => id !== undefined))
}
