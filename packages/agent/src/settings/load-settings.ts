import { type AskTrust, withholdUntrusted } from './project-trust.ts'
import { readProjectSettings, readUserSettings } from './read-settings.ts'
import { type ResolvedSettings, resolveSettings } from './resolve-settings.ts'
import type { SettingsPatch } from './schema.ts'
import type { FileHome } from './update-file.ts'

export interface LoadSettingsOptions {
  readonly home: FileHome
  readonly cwd: string
  readonly flags?: SettingsPatch | undefined
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Asks the user about what a project would set for itself. */
  readonly askTrust?: AskTrust | undefined
}

/**
 * Everything that is set for work in this folder. Never fails over what somebody wrote: it is in the problems.
 *
 * @example
 * const { settings, problems } = await loadSettings({ home, cwd: process.cwd(), env: process.env })
 */
export async function loadSettings({
  home,
  cwd,
  flags,
  env,
  askTrust,
}: LoadSettingsOptions): Promise<ResolvedSettings> {
  const user = readUserSettings(home.paths.settingsFile)
  const found = readProjectSettings(cwd, home.paths.home)
  const project = found && (await withholdUntrusted({ home, project: found, user, ask: askTrust }))
  return resolveSettings({ flags, env, project, user })
}
