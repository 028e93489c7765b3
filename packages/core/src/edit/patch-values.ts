import { TreelineError } from '../errors.ts'
import type { EditOp, OpOf } from './op.ts'

type Check = readonly [test: (value: unknown) => boolean, want: string]

const bool: Check = [(value) => typeof value === 'boolean', 'true or false']
const text: Check = [(value) => typeof value === 'string', 'text']
const texts: Check = [isTexts, 'a list of texts']
const textMap: Check = [
  (value) => isObject(value) && Object.values(value).every((v) => typeof v === 'string'),
  'a map of texts',
]
const oneOf = (...allowed: string[]): Check => [(value) => allowed.includes(value as string), allowed.join(', ')]

/** What a node may be told about itself; anything else goes under `ext`, namespaced. */
const META: Readonly<Record<string, Check>> = {
  rating: [
    (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 5,
    'a whole number from 1 to 5',
  ],
  pinned: bool,
  stashTitle: text,
  labels: texts,
  note: text,
  ext: [isObject, 'an object'],
}

const SESSION: Readonly<Record<string, Check>> = {
  tags: texts,
  starred: bool,
  archived: bool,
  mode: oneOf('tree', 'linear'),
  ext: [isObject, 'an object'],
}

/** N23: the settings a session keeps for itself. */
const CONFIG: Readonly<Record<string, Check>> = {
  approvalMode: oneOf('default', 'autoEdit', 'yolo'),
  approvalTools: texts,
  summary: text,
  pastedTextMap: textMap,
  pastedImageMap: textMap,
  model: text,
  thinkingLevel: text,
  systemPrompt: text,
}

const TABLES = { meta: META, session: SESSION, config: CONFIG }

/** `null` clears a key; a value must be of its key's form. */
export function checkPatch(op: OpOf<'meta'> | OpOf<'session'> | OpOf<'config'>): EditOp {
  const table = TABLES[op.op]
  for (const [key, value] of Object.entries(op.patch)) {
    if (!Object.hasOwn(table, key)) {
      const known = Object.keys(table).join(', ')
      throw new TreelineError('validation_failed', `"${op.op}" knows no key "${key}". It knows ${known}.`)
    }
    const [test, want] = table[key] as Check
    if (value !== null && !test(value)) {
      throw new TreelineError('validation_failed', `"${key}" must be ${want}, or null to clear it.`)
    }
  }
  return op
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
