import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Fixtures made by running other tools. They lie beside the checkout and are not part of it. */
const SHARED = join(import.meta.dirname, '../../../../../shared/fixtures')

export const hasShared = existsSync(join(SHARED, 'pi/MANIFEST.json'))
export const SKIPPED = '../shared/fixtures not found: skipped'

/** Paths of the logs in some folders, by a name to show; none when the fixtures are absent. */
export function listLogs(...folders: readonly string[]): readonly (readonly [name: string, path: string])[] {
  if (!hasShared) return []
  return folders.flatMap((folder) => {
    const names = readdirSync(join(SHARED, folder)).filter((name) => name.endsWith('.jsonl'))
    return names.sort().map((name) => [`${folder}/${name}`, join(SHARED, folder, name)] as const)
  })
}
