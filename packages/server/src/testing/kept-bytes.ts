import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '@treeline/store'

/** Everything that a request could change for good, by its path: logs, trash, blobs, who may ask. */
export function keptBytes({ paths }: Home): ReadonlyMap<string, string> {
  const folders = ['sessions', 'trash', 'blobs']
    .map((name) => join(paths.home, name))
    .filter((path) => existsSync(path))
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))),
  )
  const all = [...files, paths.credentialsFile].filter((path) => statSync(path).isFile())
  return new Map(all.sort().map((path) => [path.slice(paths.home.length), readFileSync(path, 'latin1')]))
}
