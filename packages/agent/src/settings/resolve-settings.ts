import { type CheckedSettings, checkSettings } from './check-settings.ts'
import { readEnvironment } from './environment.ts'
import { type Fields, isFields } from './fields.ts'
import { formatKeyPath } from './key-path.ts'
import type { SettingOrigin, SettingProblem } from './problem.ts'
import type { SettingsPatch } from './schema.ts'
import { DEFAULT_SETTINGS, type Settings } from './settings.ts'

export interface SettingsLayers {
  readonly flags?: SettingsPatch | undefined
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** As `withholdUntrusted` leaves it. */
  readonly project?: CheckedSettings | undefined
  readonly user?: CheckedSettings | undefined
}

export interface ResolvedSettings {
  readonly settings: Settings
  readonly problems: readonly SettingProblem[]
  /** Who set what, by key: `compaction.enabled`. What is not in it is a default. */
  readonly origin: ReadonlyMap<string, SettingOrigin>
}

/** Flag before environment before project before user before default, key by key, also within objects. */
export function resolveSettings({ flags, env = {}, project, user }: SettingsLayers): ResolvedSettings {
  const layers: [SettingOrigin, CheckedSettings][] = []
  if (user !== undefined) layers.push(['user', user])
  if (project !== undefined) layers.push(['project', project])
  for (const variable of readEnvironment(env)) layers.push(['environment', variable])
  if (flags !== undefined) layers.push(['flag', checkSettings(flags, { origin: 'flag', where: 'The flags' })])
  const origin = new Map<string, SettingOrigin>()
  // A copy of its own, so that nobody changes the defaults of others (X5).
  let settings: Fields = structuredClone(DEFAULT_SETTINGS) as unknown as Fields
  for (const [from, { values }] of layers) {
    settings = mergeOver(settings, values as Fields, [], (path) => origin.set(formatKeyPath(path), from))
  }
  const problems = layers.toReversed().flatMap(([, layer]) => layer.problems)
  return { settings: settings as unknown as Settings, problems, origin }
}

/** Values have been checked: nothing is deeper than the schema, no key is one an object has by itself. */
function mergeOver(
  below: Fields,
  above: Fields,
  path: readonly string[],
  onSet: (path: readonly string[]) => void,
): Fields {
  const merged = new Map(Object.entries(below))
  for (const [key, value] of Object.entries(above)) {
    if (value === undefined) continue
    const at = [...path, key]
    const under = merged.get(key)
    if (isFields(value)) merged.set(key, mergeOver(isFields(under) ? under : {}, value, at, onSet))
    else {
      merged.set(key, value)
      onSet(at)
    }
  }
  return Object.fromEntries(merged)
}
