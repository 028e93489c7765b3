import { createHash } from 'node:crypto'
import { type Fields, isFields } from './fields.ts'
import { parseJsonObject } from './parse-json.ts'
import { readSettingsText } from './read-settings.ts'
import type { SettingsPatch } from './schema.ts'
import { type FileHome, updateFile } from './update-file.ts'

/** What the user said about one content of a project's settings. */
export interface TrustRecord {
  readonly hash: string
  readonly answer: 'trust' | 'refuse'
}

/** The answer about this file, whatever content it was about. Throws when the file of answers cannot be read. */
export function findTrust({ paths }: FileHome, file: string): TrustRecord | undefined {
  const { projects } = readRecords(paths.trustFile)
  const record = Object.hasOwn(projects, file) ? projects[file] : undefined
  if (!isFields(record)) return undefined
  const { hash, answer } = record
  return typeof hash === 'string' && (answer === 'trust' || answer === 'refuse') ? { hash, answer } : undefined
}

export function saveTrust(home: FileHome, file: string, record: TrustRecord): Promise<void> {
  const { trustFile } = home.paths
  return updateFile(home, trustFile, () => {
    const { all, projects } = readRecords(trustFile)
    const others = Object.entries(projects).filter(([path]) => path !== file)
    const at = new Date().toISOString()
    const next = { ...all, projects: Object.fromEntries([...others, [file, { ...record, at }]]) }
    return `${JSON.stringify(next, null, 2)}\n`
  })
}

/** The same for the same settings, in whatever order they are written. */
export function hashOf(settings: SettingsPatch): string {
  return createHash('sha256').update(JSON.stringify(settings, sorted)).digest('hex')
}

function sorted(_: string, value: unknown): unknown {
  return isFields(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value
}

function readRecords(trustFile: string): { readonly all: Fields; readonly projects: Fields } {
  const text = readSettingsText(trustFile)
  const all = text === undefined ? {} : parseJsonObject(text, trustFile)
  return { all, projects: isFields(all.projects) ? all.projects : {} }
}
