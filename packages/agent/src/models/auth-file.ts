import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { TreelineError } from '@treeline/core'
import { storageError } from '@treeline/store'

/** More are no keys. */
const MAX_BYTES = 64 * 1024
const READABLE_BY_OTHERS = 0o077

/** One provider's key. Kinds we do not know are kept as they are. */
export interface StoredKey {
  readonly type: string
  readonly [field: string]: string | number | boolean | null
}

export type StoredKeys = ReadonlyMap<string, StoredKey>

/**
 * `<home>/auth.json`. What it holds is never part of a message: not even the parser's own words are passed on, which quote
 * what they cannot parse.
 */
export function readAuthFile(path: string, options: { readonly evenIfOpen?: boolean } = {}): StoredKeys {
  const text = readOwn(path, options.evenIfOpen ?? false)
  if (text === undefined) return new Map()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw unusable(path, 'it is not JSON')
  }
  return checkKeys(path, value)
}

export function formatAuthFile(keys: StoredKeys): string {
  return `${JSON.stringify(Object.fromEntries(keys), undefined, 2)}\n`
}

/** Quoted, as long as a key at least: for a file that is not JSON any more. */
const QUOTED = /"([^"\\\n]{16,})"/g

/** Every text the file holds but the names of kinds, whoever can read it and in whatever state it is. Never throws. */
export function listStoredTexts(path: string): readonly string[] {
  let text: string | undefined
  try {
    text = readOwn(path, true)
    if (text === undefined) return []
    const keys = checkKeys(path, JSON.parse(text))
    const fields = [...keys.values()].flatMap((key) => Object.entries(key))
    return fields.flatMap(([field, value]) => (field !== 'type' && typeof value === 'string' ? [value] : []))
  } catch {
    // It is told of where a key is looked for.
    return [...(text ?? '').matchAll(QUOTED)].map(([, quoted]) => quoted!)
  }
}

/** Through one descriptor, so that what was checked is what is read. */
function readOwn(path: string, evenIfOpen: boolean): string | undefined {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw storageError(error, 'The stored keys cannot be read', path)
  }
  try {
    const stats = fstatSync(fd)
    if (!stats.isFile()) throw unusable(path, 'it is no file')
    if (!evenIfOpen) refuseOpen(path, stats.mode)
    if (stats.size > MAX_BYTES) throw unusable(path, 'it is too large')
    const bytes = Buffer.alloc(stats.size)
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0)).toString('utf8')
  } catch (error) {
    throw storageError(error, 'The stored keys cannot be read', path)
  } finally {
    closeSync(fd)
  }
}

function refuseOpen(path: string, mode: number): void {
  if (process.platform === 'win32' || (mode & READABLE_BY_OTHERS) === 0) return
  throw new TreelineError(
    'forbidden',
    `Other users can reach the stored keys (mode ${(mode & 0o777).toString(8)}), so they are not used. ` +
      `Close the file with \`chmod 600 ${path}\`, and replace the keys if others may have read them.`,
  )
}

function checkKeys(path: string, value: unknown): StoredKeys {
  if (!isRecord(value)) throw unusable(path, 'it is no object of providers')
  const keys = new Map<string, StoredKey>()
  for (const [provider, stored] of Object.entries(value)) {
    if (!isRecord(stored) || typeof stored.type !== 'string' || !Object.values(stored).every(isPlain)) {
      throw unusable(path, `what it says of ${JSON.stringify(provider.slice(0, 40))} is no key`)
    }
    keys.set(provider, stored as StoredKey)
  }
  return keys
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unusable(path: string, why: string): TreelineError {
  return new TreelineError(
    'damaged',
    `The stored keys cannot be read: ${why} (${path}). Mend the file or move it away, then set the keys again.`,
  )
}
