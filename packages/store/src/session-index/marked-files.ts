import { columnsKey } from '../log/columns-key.ts'
import { idInName } from '../log-files.ts'
import type { HomePaths } from '../paths.ts'
import { listMarkedKeys } from '../presence/file-presence.ts'

/**
 * Those of the files that some process has open for writing: it may write to them at any moment, and no folder shows it.
 * Nothing when that cannot be known.
 */
export function findMarked(paths: HomePaths, files: readonly string[]): readonly string[] | undefined {
  let keys: ReadonlySet<string>
  try {
    keys = listMarkedKeys(paths)
  } catch {
    // A folder that cannot be read, of which keeping house tells: until then every list looks at everything.
    return undefined
  }
  if (keys.size === 0) return []
  // Of our own logs the key is in the name; to know that of any other takes ten times as long.
  const areAllOurs = ![...keys].some((key) => key.startsWith('at-'))
  return files.filter((path) => (!areAllOurs || keys.has(idInName(path))) && keys.has(columnsKey(paths, path)))
}
