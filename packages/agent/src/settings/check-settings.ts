import type { z } from 'zod'
import { isFields } from './fields.ts'
import { formatKeyPath } from './key-path.ts'
import { findNearestKey } from './nearest-key.ts'
import type { SettingOrigin, SettingProblem } from './problem.ts'
import { knownKeysAt, type SettingsPatch, settingsSchema } from './schema.ts'

export interface SettingsSource {
  readonly origin: SettingOrigin
  readonly where: string
}

/** What is right of what was said in one place, and what is wrong with the rest. */
export interface CheckedSettings {
  readonly values: SettingsPatch
  readonly problems: readonly SettingProblem[]
}

type Path = readonly string[]

interface Fault {
  readonly path: Path
  readonly isUnknown: boolean
  /** `must be …` */
  readonly message: string
}

/** Nobody reads more, and a hostile file may hold a hundred thousand. */
const MAX_PROBLEMS = 50
/** What is wrong goes in the first pass; then what is incomplete without it; then nothing is left to go. */
const MAX_PASSES = 4
const LOOKS_SECRET = /key|token|secret|password|credential/i

/**
 * Takes what is valid, key by key: one wrong value does not cost the others. The result is made anew by the schema, so
 * nothing of the input that it does not know, `__proto__` for one, gets any further.
 */
export function checkSettings(raw: unknown, source: SettingsSource): CheckedSettings {
  const faults = new Map<string, Fault>()
  let left = raw
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const checked = settingsSchema.safeParse(left)
    if (checked.success) {
      return { values: checked.data as SettingsPatch, problems: tell([...faults.values()], raw, source) }
    }
    const found = checked.error.issues.flatMap((issue) => toFaults(issue))
    for (const fault of found) {
      const key = JSON.stringify(fault.path)
      if (!faults.has(key)) faults.set(key, fault)
    }
    left = without(left, toDropTree(found, left))
  }
  return { values: {}, problems: tell([...faults.values()], raw, source) }
}

function toFaults(issue: z.core.$ZodIssue): Fault[] {
  const parts = issue.path.map((part) => (typeof part === 'number' ? undefined : String(part)))
  // One wrong item spoils its list.
  const list = parts.indexOf(undefined)
  const path = (list < 0 ? parts : parts.slice(0, list)) as Path
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], isUnknown: true, message: '' }))
  }
  const message =
    issue.code === 'invalid_key' ? `must be called otherwise: a name here ${issue.issues[0]?.message}` : issue.message
  return [{ path, isUnknown: false, message }]
}

/** What to leave out, as a tree, so that a hundred thousand wrong keys cost one walk. */
interface DropTree extends Map<string, DropTree | 'all'> {}

function toDropTree(faults: readonly Fault[], value: unknown): DropTree | 'all' {
  const root: DropTree = new Map()
  for (const { path } of faults) {
    // Something required is missing: what it is missing from cannot stay.
    const end = valueAt(value, path) === undefined ? path.length - 1 : path.length
    if (end <= 0) return 'all'
    let at: DropTree | 'all' | undefined = root
    for (let i = 0; i < end && at !== undefined && at !== 'all'; i++) at = stepInto(at, path[i]!, i === end - 1)
  }
  return root
}

function stepInto(tree: DropTree, part: string, isLast: boolean): DropTree | 'all' {
  const next = isLast ? 'all' : (tree.get(part) ?? new Map())
  tree.set(part, next)
  return next
}

/** No deeper than the schema, which the faults come from. */
function without(value: unknown, dropped: DropTree | 'all'): unknown {
  if (dropped === 'all' || !isFields(value)) return {}
  const kept = Object.entries(value).filter(([key]) => dropped.get(key) !== 'all')
  return Object.fromEntries(
    kept.map(([key, child]) => {
      const below = dropped.get(key)
      return [key, below === undefined ? child : without(child, below)]
    }),
  )
}

function tell(faults: readonly Fault[], raw: unknown, { origin, where }: SettingsSource): SettingProblem[] {
  const shown = faults.slice(0, MAX_PROBLEMS).map((fault): SettingProblem => {
    const kind = fault.isUnknown ? 'unknown' : 'invalid'
    const message = fault.isUnknown ? unknownMessage(where, fault.path) : invalidMessage(where, fault, raw)
    return { kind, origin, where, path: fault.path, message }
  })
  const more = faults.length - shown.length
  if (more === 0) return shown
  const message = `${where}: ${more} more settings are wrong or unknown. Mend those named first.`
  return [...shown, { kind: 'invalid', origin, where, path: [], message }]
}

function unknownMessage(where: string, path: Path): string {
  const key = path.at(-1)!
  const above = path.slice(0, -1)
  const meant = findNearestKey(key, knownKeysAt(above))
  const hint = meant === undefined ? '' : ` Did you mean ${formatKeyPath([...above, meant])}?`
  const secret = LOOKS_SECRET.test(key) ? ' Keys do not belong into settings: use `treeline auth`.' : ''
  return `${where}: there is no setting ${formatKeyPath(path)}.${hint}${secret}`
}

function invalidMessage(where: string, { path, message }: Fault, raw: unknown): string {
  const subject = path.length === 0 ? 'what it says' : formatKeyPath(path)
  return `${where}: ${subject} ${message}, but is ${describe(valueAt(raw, path))}.`
}

/** Never the text itself: it may be a secret. */
function describe(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value)
  if (typeof value === 'string') return value === '' ? 'empty' : 'other text'
  return Array.isArray(value) ? 'a list' : 'an object'
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, part) => (isFields(at) && Object.hasOwn(at, part) ? at[part] : undefined), value)
}
