import { TreelineError } from '@treeline/core'
import { fold } from './fold.ts'
import { isSearchRole } from './roles.ts'
import type { SearchOptions, SearchRole } from './search-types.ts'

/** Which nodes are looked at, whatever they say. */
export interface Filters {
  readonly role?: SearchRole | undefined
  readonly tool?: string | undefined
  readonly isError?: boolean | undefined
  /** Folded. */
  readonly path?: string | undefined
  readonly sinceMs?: number | undefined
  readonly untilMs?: number | undefined
  readonly cwd?: string | undefined
  readonly sessionId?: string | undefined
  readonly source?: string | undefined
  readonly isMuted?: boolean | undefined
}

type Filter = keyof Filters

const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/
const MAX_CHARS = 4096

/** By the name that a person types before the colon, what the value has to be; `undefined` when it is not. */
const OPERATORS: ReadonlyMap<string, readonly [Filter, (value: string) => unknown]> = new Map([
  ['role', ['role', (value: string) => (isSearchRole(value) ? value : undefined)]],
  ['tool', ['tool', textValue]],
  ['error', ['isError', booleanValue]],
  ['path', ['path', (value: string) => textValue(fold(value))]],
  ['since', ['sinceMs', timeValue]],
  ['until', ['untilMs', timeValue]],
  ['cwd', ['cwd', textValue]],
  ['session', ['sessionId', textValue]],
  ['source', ['source', textValue]],
  ['muted', ['isMuted', booleanValue]],
])

/** What `name:value` in a query asks for; `undefined` when that is no filter, but text to look for. */
export function filterOf(name: string, value: string): Filters | undefined {
  const operator = OPERATORS.get(name)
  const read = operator?.[1](value)
  return operator === undefined || read === undefined ? undefined : { [operator[0]]: read }
}

/** The filters among a caller's options. */
export function filtersOf(options: SearchOptions): Filters {
  const given: [Filter, unknown][] = [
    ['role', checked('role', options.role, isSearchRole, 'one of the roles of a search')],
    ['tool', checkText('tool', options.tool)],
    ['isError', checked('error', options.error, isBoolean, 'true or false')],
    ['path', foldPath(checkText('path', options.path))],
    ['sinceMs', checkTime('since', options.since)],
    ['untilMs', checkTime('until', options.until)],
    ['cwd', checkText('cwd', options.cwd)],
    ['sessionId', checkText('sessionId', options.sessionId)],
    ['source', checkText('source', options.source)],
    ['isMuted', checked('muted', options.muted, isBoolean, 'true or false')],
  ]
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

function checkText(name: string, value: unknown): string | undefined {
  const isText = (text: unknown): text is string => typeof text === 'string' && text.length <= MAX_CHARS
  return checked(name, value, isText, `text of at most ${MAX_CHARS} characters`)
}

function checkTime(name: string, value: unknown): number | undefined {
  const isTime = (text: unknown): text is string => typeof text === 'string' && timeValue(text) !== undefined
  const text = checked(name, value, isTime, 'a time in ISO 8601, like 2026-01-31 or 2026-01-31T12:00:00Z')
  return text === undefined ? undefined : timeValue(text)
}

function checked<T>(name: string, value: unknown, is: (value: unknown) => value is T, what: string): T | undefined {
  if (value === undefined) return undefined
  if (is(value)) return value
  throw new TreelineError('validation_failed', `The search cannot be limited by this \`${name}\`. Give ${what}.`)
}

function foldPath(path: string | undefined): string | undefined {
  return path === undefined ? undefined : fold(path)
}

function textValue(value: string): string | undefined {
  return value === '' ? undefined : value
}

function booleanValue(value: string): boolean | undefined {
  if (value === 'true' || value === 'yes') return true
  return value === 'false' || value === 'no' ? false : undefined
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

/** Of a date or time in ISO 8601; `undefined` for what is none. */
export function timeValue(value: string): number | undefined {
  const time = ISO_TIME.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}
