import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Fixtures made by running other tools. They lie beside the checkout and are not part of it. */
const SHARED = join(import.meta.dirname, '../../../../../shared/fixtures')

export const hasShared = existsSync(join(SHARED, 'pi/MANIFEST.json'))
export const SKIPPED = '../shared/fixtures not found: skipped'

/** Logs whose path below the fixtures begins so, by a name to show. */
export function sharedLogs(...beginnings: readonly string[]): readonly (readonly [name: string, path: string])[] {
  return beginnings.flatMap((beginning) => {
    const folder = beginning.endsWith('/') ? beginning : dirname(beginning)
    const names = readdirSync(join(SHARED, folder)).map((name) => join(folder, name))
    const chosen = names.filter((name) => name.startsWith(beginning) && name.endsWith('.jsonl'))
    return chosen.sort().map((name) => [name, join(SHARED, name)] as const)
  })
}
