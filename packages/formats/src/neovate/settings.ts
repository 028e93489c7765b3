import type { EditRequestOp } from '@treeline/core'
import type { Session } from '@treeline/store'
import { type Fields, isFields } from './record.ts'

/** What of Neovate's config line is a setting of ours too, and when (N23, N24). */
const SETTINGS: Readonly<Record<string, (value: unknown) => boolean>> = {
  approvalMode: (value) => value === 'default' || value === 'autoEdit' || value === 'yolo',
  approvalTools: (value) => Array.isArray(value) && value.every(isText),
  summary: isText,
  pastedTextMap: isTextMap,
  pastedImageMap: isTextMap,
  model: isText,
}
/** Settings are held in memory for as long as a session is open; pasted images are messages as well. */
const MAX_SETTING_CHARS = 64 * 1024

export interface ReadSettings {
  readonly operation: EditRequestOp | undefined
  /** The line without the values of `settings`, which the session has; their keys stay, so that their order does. */
  readonly record: Fields
  readonly settings: readonly string[]
  /** Keys that could be settings but for their size. */
  readonly tooLarge: readonly string[]
}

export function readSettings(record: Fields): ReadSettings {
  const config = isFields(record.config) ? record.config : {}
  const fitting = validSettings(config)
  const tooLarge = fitting.filter((key) => JSON.stringify(config[key]).length > MAX_SETTING_CHARS)
  const settings = fitting.filter((key) => !tooLarge.includes(key))
  const patch = Object.fromEntries(settings.map((key) => [key, config[key]]))
  const rest = Object.entries(config).map(([key, value]) => [key, settings.includes(key) ? null : value])
  return {
    operation: settings.length === 0 ? undefined : { op: 'config', patch },
    record: { ...record, config: Object.fromEntries(rest) },
    settings,
    tooLarge,
  }
}

/** The keys that are settings of ours, with values that are valid. */
export function validSettings(config: Fields): readonly string[] {
  return Object.keys(config).filter((key) => Object.hasOwn(SETTINGS, key) && SETTINGS[key]!(config[key]))
}

/** The config line of an imported session as it is now: what was set since, and what was cleared. */
export function currentSettings(session: Session, record: Fields, settings: readonly string[]): Fields {
  const { edits } = session.tree
  const now = new Map([...edits.config].filter(([key]) => Object.hasOwn(SETTINGS, key)))
  // Both are the title of the session (N26).
  if (typeof edits.name === 'string') now.set('summary', edits.name)
  if (edits.name === null) now.delete('summary')
  const config = isFields(record.config) ? record.config : {}
  const kept = Object.entries(config)
    .filter(([key]) => !settings.includes(key) || now.has(key))
    .map(([key, value]) => [key, now.has(key) ? now.get(key) : value] as const)
  const added = [...now].filter(([key]) => !Object.hasOwn(config, key))
  return { ...record, config: Object.fromEntries([...kept, ...added]) }
}

/** The config line of a session that has none yet. */
export function newSettings(session: Session): Fields {
  const { approvalMode, approvalTools, pastedTextMap, pastedImageMap, summary: given } = session.config
  const summary = session.name ?? given
  const config = { approvalMode, approvalTools, pastedTextMap, pastedImageMap, ...(summary && { summary }) }
  return { type: 'config', config }
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isTextMap(value: unknown): boolean {
  return isFields(value) && Object.values(value).every(isText)
}
