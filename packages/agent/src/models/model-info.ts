import type { Settings } from '../settings/settings.ts'
import type { ModelInfo } from './model.ts'
import { MODEL_TABLE, type ModelRow } from './model-table.ts'

/** Modest, so that a model nobody told us of is not asked more than it can do. What it costs is not guessed. */
const UNKNOWN: ModelInfo = { contextWindow: 128_000, maxOutput: 8_192, thinking: ['off'], images: false }

/** What follows the name of a model in the name of one of its editions: a date, a number, `latest`, `preview`. */
const EDITION = /^[-@](?:\d{4}-\d{2}-\d{2}|\d{3,8}|latest|(?:preview|exp)(?:-\d[\d-]*)?)$/

export interface InfoOptions {
  /** On one's own machine: it costs nothing. */
  readonly isLocal?: boolean
  readonly overrides: Settings['models']
}

/** What the user says of a model wins over the table, the table over modest guesses. */
export function modelInfo(provider: string, id: string, { isLocal = false, overrides }: InfoOptions): ModelInfo {
  const ref = `${provider}/${id}`
  const known = fromRow(findRow(provider, id))
  const free = isLocal ? { prices: { input: 0, output: 0 } } : {}
  return { ...UNKNOWN, ...known, ...free, ...(Object.hasOwn(overrides, ref) ? overrides[ref] : {}) }
}

function findRow(provider: string, id: string): ModelRow | undefined {
  if (!Object.hasOwn(MODEL_TABLE, provider)) return undefined
  const rows = MODEL_TABLE[provider]!
  if (Object.hasOwn(rows, id)) return rows[id]
  const name = Object.keys(rows).find((known) => id.startsWith(known) && EDITION.test(id.slice(known.length)))
  return name === undefined ? undefined : rows[name]
}

function fromRow(row: ModelRow | undefined): Partial<ModelInfo> {
  if (row === undefined) return {}
  const { contextWindow, maxOutput, prices, thinking, images = true } = row
  return { contextWindow, maxOutput, prices, thinking, images }
}
