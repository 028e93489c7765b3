import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { TreelineError } from '@treeline/core'
import { type CheckedSettings, checkSettings, type SettingsSource } from './check-settings.ts'
import { findProject } from './find-project.ts'
import { parseJsonObject } from './parse-json.ts'
import { type FileHeadOptions, readFileHead } from './read-file-head.ts'

const MAX_BYTES = 1024 * 1024

/** The user's own settings. What is wrong with the file is a problem, never an error: one works on with the defaults. */
export function readUserSettings(settingsFile: string): CheckedSettings {
  return readChecked(settingsFile, { origin: 'user', where: settingsFile }, {})
}

export interface ProjectSettings extends CheckedSettings {
  /** The real path of the file. */
  readonly file: string
}

/**
 * The settings of the project one works in: of the nearest folder that has some. `undefined` when none has. What is in
 * them counts only after `withholdUntrusted`.
 */
export function readProjectSettings(cwd: string, home: string): ProjectSettings | undefined {
  const { folders, owners } = findProject(cwd)
  for (const folder of folders) {
    const path = join(folder, '.treeline', 'settings.json')
    const file = findReal(path)
    // Above a project is often the user's own folder, and in it the home: those settings are the user's.
    if (file === undefined || findReal(join(folder, '.treeline')) === (findReal(home) ?? home)) continue
    return { ...readChecked(path, { origin: 'project', where: path }, { within: folder, owners }), file }
  }
  return undefined
}

/** The text of a settings file; `undefined` when there is none. */
export function readSettingsText(path: string, options: Omit<FileHeadOptions, 'maxBytes'> = {}): string | undefined {
  const head = readFileHead(path, { ...options, maxBytes: MAX_BYTES })
  if (head === undefined) return undefined
  if (!head.isWhole) {
    throw new TreelineError('payload_too_large', `${path} is larger than 1 MiB; no settings are. Look what is in it.`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(head.bytes)
  } catch (cause) {
    throw new TreelineError('validation_failed', `${path} is not UTF-8 text. Save it as UTF-8.`, {}, { cause })
  }
}

function readChecked(
  path: string,
  source: SettingsSource,
  options: Omit<FileHeadOptions, 'maxBytes'>,
): CheckedSettings {
  try {
    const text = readSettingsText(path, options)
    return text === undefined ? { values: {}, problems: [] } : checkSettings(parseJsonObject(text, path), source)
  } catch (error) {
    if (!(error instanceof TreelineError)) throw error
    const message = `${error.message} None of its settings count until then.`
    return { values: {}, problems: [{ kind: 'unreadable', ...source, path: [], message }] }
  }
}

function findReal(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    // Missing, or in a folder one may not look into: then there is nothing for us in it.
    return undefined
  }
}
