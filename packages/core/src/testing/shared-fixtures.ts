import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BlobRef, replaceBlobRefs } from '../context/blob-refs.ts'
import type { Context } from '../context/context.ts'

/** Fixtures made by running other tools. They lie beside the checkout and are not part of it. */
const SHARED = join(import.meta.dirname, '../../../../../shared/fixtures')

export const hasShared = existsSync(join(SHARED, 'pi/MANIFEST.json'))
export const SKIPPED = '../shared/fixtures not found: skipped'

/** The names of a folder's files without their ending; none when the fixtures are absent. */
export function listShared(folder: string, ending = '.jsonl'): readonly string[] {
  if (!hasShared) return []
  const files = readdirSync(join(SHARED, folder)).filter((file) => file.endsWith(ending))
  return files.map((file) => file.slice(0, -ending.length)).sort()
}

export function readShared(file: string): Uint8Array {
  return readFileSync(join(SHARED, file))
}

export function readSharedJson<T>(file: string): T {
  return JSON.parse(readFileSync(join(SHARED, file), 'utf8')) as T
}

/** `tool` is the folder whose blobs are meant. A blob that is not there stays a reference, as the tools leave it. */
export function resolveBlobs(messages: Context['messages'], tool: 'xcsh' | 'omp18'): Context['messages'] {
  const lookup = ({ hash, form }: BlobRef) => {
    const file = join(SHARED, tool, 'agent/blobs', hash)
    return existsSync(file) ? readFileSync(file).toString(form === 'base64' ? 'base64' : 'utf8') : undefined
  }
  return messages.map((message) => replaceBlobRefs(message, lookup))
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** What JSON makes of a value, long strings as the fixtures write them: by length and hash. */
export function asExpected(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, item: unknown) => {
    if (typeof item !== 'string' || item.length <= 20_000) return item
    return { $long: { length: item.length, sha256: sha256(item) } }
  })
}

/** The same form of a fixture's own value, whose long strings also carry their ends. */
export function asFixture(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, item: unknown) => {
    if (key !== '$long') return typeof item === 'string' ? asExpected(item) : item
    const { length, sha256 } = item as { length: number; sha256: string }
    return { length, sha256 }
  })
}
