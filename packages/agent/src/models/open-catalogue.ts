import type { Home } from '@treeline/store'
import { loadSettings } from '../settings/load-settings.ts'
import type { SettingProblem } from '../settings/problem.ts'
import type { Settings } from '../settings/settings.ts'
import { type Catalogue, createCatalogue } from './catalogue.ts'
import { createKeys, type Keys } from './keys.ts'

export interface OpenedCatalogue {
  readonly catalogue: Catalogue
  readonly keys: Keys
  readonly settings: Settings
  /** What is wrong with the settings. */
  readonly problems: readonly SettingProblem[]
}

/** The models as they are set up for a home and a folder. */
export async function openCatalogue(options: {
  readonly home: Home
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}): Promise<OpenedCatalogue> {
  const { home, env } = options
  const { settings, problems } = await loadSettings(options)
  const keys = createKeys({ env, home })
  return { catalogue: createCatalogue({ settings, keys, env }), keys, settings, problems }
}
