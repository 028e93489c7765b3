import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Fixtures made by running other tools. They lie beside the checkout and are not part of it. */
const SHARED = join(import.meta.dirname, '../../../../../shared/fixtures')

export const hasShared = existsSync(join(SHARED, 'pi/MANIFEST.json'))
export const SKIPPED = '../shared/fixtures not found: skipped'

/** Paths of the session files in some folders, by a name to show; none when the fixtures are absent. */
export function listFixtures(...folders: readonly string[]): readonly (readonly [name: string, path: string])[] {
  if (!hasShared) return []
  return folders.flatMap((folder) => {
    const names = readdirSync(join(SHARED, folder)).filter((name) => name.endsWith('.jsonl'))
    return names.sort().map((name) => [`${folder}/${name}`, join(SHARED, folder, name)] as const)
  })
}

/** What the tool itself made of a fixture. */
export function readExpected(path: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(path.replace(/\.jsonl$/, '.expected.json'), 'utf8'))
}
