import { redactPrivateKeys } from './private-keys.ts'
import { SECRET_FIELD, SECRET_PATTERNS } from './secret-patterns.ts'

const REDACTED = '[redacted]'

/** For the files that were redacted: what has been done to them, and what has not. */
export const REDACTION_NOTICE =
  'Whatever looks like a secret is replaced by [redacted]. This is best effort: it knows common forms of keys, tokens ' +
  'and passwords and nothing else, and it does not look into images. Read the file before you share it.'

/**
 * Replaces what looks like a secret. Best effort: it knows the forms that common providers give their keys, bearer tokens,
 * private key blocks, passwords in URLs and values of fields that are called a secret. Takes time in proportion to the
 * length of the text.
 *
 * @example
 * redact('curl -H "Authorization: Bearer abcdefgh12345678"') // 'curl -H "Authorization: Bearer [redacted]"'
 */
export function redact(text: string): string {
  let result = redactPrivateKeys(text, REDACTED)
  for (const { hint, pattern, keep } of SECRET_PATTERNS) {
    if (hint.test(result)) result = result.replace(pattern, keep === 0 ? REDACTED : `$1${REDACTED}`)
  }
  return result
}

/** Deeper than any log holds. */
const MAX_DEPTH = 100
/** Proofs and encrypted blocks: half of one is worth nothing, and nobody reads a secret out of them. */
const OPAQUE = /signature$|^encrypted/i
/** Never changed at the top of an entry: what everything is found by. */
const HEAD: ReadonlySet<string> = new Set(['type', 'id', 'parentId', 'timestamp', 'targetId', 'firstKeptEntryId'])

/** The same for every text in an entry, tool arguments included. What holds no secret comes back as the same object. */
export function redactEntry<T extends object>(entry: T): T {
  const changed = Object.entries(entry)
    .filter(([key]) => !HEAD.has(key))
    .map(([key, value]) => [key, value, redactField(key, value, entry, MAX_DEPTH)] as const)
    .filter(([, before, after]) => before !== after)
  return changed.length === 0 ? entry : withFields(entry, changed)
}

function redactField(key: string, value: unknown, holder: object, depth: number): unknown {
  if (typeof value === 'string') {
    if (OPAQUE.test(key) || isImageData(key, holder)) return value
    return SECRET_FIELD.test(key) && value !== '' ? REDACTED : redact(value)
  }
  if (typeof value !== 'object' || value === null || depth === 0) return value
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => redactField(key, item, value, depth - 1))
    return items.every((item, i) => item === value[i]) ? value : items
  }
  const changed = Object.entries(value)
    .map(([name, child]) => [name, child, redactField(name, child, value, depth - 1)] as const)
    .filter(([, before, after]) => before !== after)
  return changed.length === 0 ? value : withFields(value, changed)
}

function isImageData(key: string, holder: object): boolean {
  return key === 'data' && 'type' in holder && holder.type === 'image'
}

/** `__proto__` stays a field like any other. */
function withFields<T extends object>(
  object: T,
  changed: readonly (readonly [key: string, before: unknown, after: unknown])[],
): T {
  return { ...object, ...Object.fromEntries(changed.map(([key, , after]) => [key, after])) }
}
