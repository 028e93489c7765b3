import { isFields } from './fields.ts'
import { formatKeyPath, parseKeyPath } from './key-path.ts'
import { knownKeysAt } from './schema.ts'
import type { Settings } from './settings.ts'

/** The keys that everybody has, as they are typed: `model`, `compaction.enabled`. Those of named things are up to the user. */
export function settingKeys(): readonly string[] {
  return knownKeysAt([]).flatMap((key) => {
    const inner = knownKeysAt([key])
    return inner.length === 0 ? [key] : inner.map((name) => formatKeyPath([key, name]))
  })
}

/** What stands at a key; `undefined` where nothing is set, or there is no such key. */
export function findSetting(settings: Settings, key: string): unknown {
  return parseKeyPath(key).reduce<unknown>(
    (at, part) => (isFields(at) && Object.hasOwn(at, part) ? at[part] : undefined),
    settings,
  )
}
