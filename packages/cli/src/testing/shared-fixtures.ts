import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Fixtures made by running other tools. They lie beside the checkout and are not part of it. */
const SHARED = join(import.meta.dirname, '../../../../../shared/fixtures')

export const hasShared = existsSync(join(SHARED, 'pi/MANIFEST.json'))
export const SKIPPED = '../shared/fixtures not found: skipped'

/** Names of the session files of a folder, without their ending; none when the fixtures are absent. */
export function listShared(folder: string): readonly string[] {
  if (!hasShared) return []
  const files = readdirSync(join(SHARED, folder)).filter((file) => file.endsWith('.jsonl'))
  return files.map((file) => file.slice(0, -'.jsonl'.length)).sort()
}

export function sharedPath(name: string): string {
  return join(SHARED, `${name}.jsonl`)
}

/** What the tool itself made of a fixture. */
export function readExpected<T>(name: string, ending = '.expected.json'): T {
  return JSON.parse(readFileSync(join(SHARED, name + ending), 'utf8')) as T
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A value as the fixtures write it: long strings by length and hash. */
export function asFixture(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, item: unknown) => {
    if (key === '$long') {
      const { length, sha256: hash } = item as { readonly length: number; readonly sha256: string }
      return { length, sha256: hash }
    }
    if (typeof item !== 'string' || item.length <= 20_000) return item
    return { $long: { length: item.length, sha256: sha256(item) } }
  })
}
