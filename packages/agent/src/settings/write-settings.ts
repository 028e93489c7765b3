import { TreelineError } from '@treeline/core'
import { checkSettings } from './check-settings.ts'
import type { Fields } from './fields.ts'
import { parseKeyPath } from './key-path.ts'
import { isParsedObject, parseJsonObject } from './parse-json.ts'
import { readSettingsText } from './read-settings.ts'
import { type FileHome, updateFile } from './update-file.ts'

type Path = readonly string[]

/**
 * Sets one of the user's settings, `undefined` removes it. All else in the file stays as it is, what nobody knows
 * included. A file that is not JSON is not touched.
 *
 * @example
 * await writeSetting(home, 'compaction.enabled', false)
 */
export async function writeSetting(home: FileHome, key: string, value: unknown): Promise<void> {
  const path = parseKeyPath(key)
  if (value !== undefined) refuseWrong(path, value)
  const { settingsFile } = home.paths
  await updateFile(home, settingsFile, () => {
    const text = readSettingsText(settingsFile) ?? ''
    const all = text.trim() === '' ? {} : parseJsonObject(text, settingsFile, true)
    const next = value === undefined ? withoutKey(all, path) : withKey(all, path, value)
    return `${JSON.stringify(next, null, indentOf(text))}\n`
  })
}

/** Checked by itself: what else is wrong in the file is no reason to refuse. */
function refuseWrong(path: Path, value: unknown): void {
  const { problems } = checkSettings(withKey({}, path, value), { origin: 'user', where: 'The settings' })
  const found = problems.find((problem) => problem.path.every((part, i) => i >= path.length || part === path[i]))
  // The check passes over that one name in silence.
  if (found === undefined && !path.includes('__proto__')) return
  throw new TreelineError('validation_failed', found?.message ?? 'No setting can be called __proto__.')
}

/** The key keeps its place; a new one comes last. Entries, not assignment: a key may be called `__proto__`. */
function withKey(fields: Fields, [key, ...rest]: Path, value: unknown): Fields {
  const before = Object.hasOwn(fields, key!) ? fields[key!] : undefined
  const next = rest.length === 0 ? value : withKey(isParsedObject(before) ? before : {}, rest, value)
  return Object.fromEntries(new Map(Object.entries(fields)).set(key!, next))
}

function withoutKey(fields: Fields, [key, ...rest]: Path): Fields {
  if (rest.length === 0) return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key))
  return Object.fromEntries(
    Object.entries(fields).map(([name, inner]) => [
      name,
      name === key && isParsedObject(inner) ? withoutKey(inner, rest) : inner,
    ]),
  )
}

/** As the file is indented now. */
function indentOf(text: string): string {
  return /^([ \t]{1,10})"/m.exec(text)?.[1] ?? '  '
}
