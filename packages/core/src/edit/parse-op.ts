import { TreelineError } from '../errors.ts'
import type { EditOp, EditRequestOp } from './op.ts'

type Check = (value: unknown) => boolean
type Shape = Readonly<Record<string, { readonly check: Check; readonly want: string; readonly optional?: true }>>

const text: Check = (value) => typeof value === 'string' && value !== ''
const textOrNull: Check = (value) => value === null || text(value)
const flag: Check = (value) => typeof value === 'boolean'
const index: Check = (value) => Number.isInteger(value) && (value as number) >= 0
const texts: Check = (value) => Array.isArray(value) && value.every(text)
const object: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const oneOf =
  (...allowed: string[]): Check =>
  (value) =>
    allowed.includes(value as string)
const idMap: Check = (value) => object(value) && Object.values(value as object).every(text)
const detached: Check = (value) => {
  if (!object(value)) return false
  const { fromParentId, fromIndex, at, opId } = value as Record<string, unknown>
  return textOrNull(fromParentId) && index(fromIndex) && typeof at === 'string' && typeof opId === 'string'
}
const deletedFrom: Check = (value) => {
  if (!object(value)) return false
  const { parentId, index: at, adoptedIds, detached: from } = value as Record<string, unknown>
  return (
    textOrNull(parentId) &&
    index(at) &&
    (adoptedIds === undefined || texts(adoptedIds)) &&
    (from === undefined || detached(from))
  )
}

const nodeIds = { check: texts, want: 'a list of node ids' }
const nodeId = { check: text, want: 'a node id' }
const nodeIdOrNull = { check: textOrNull, want: 'a node id or null' }
const patch = { check: object, want: 'an object of changes' }
const optional = <T extends object>(field: T) => ({ ...field, optional: true as const })
const choice = (...allowed: string[]) => ({
  check: oneOf(...allowed),
  want: allowed.join(' or '),
  optional: true as const,
})

const optionalIndex: Shape[string] = { check: index, want: 'a whole number from 0', optional: true }

const SHAPES: Readonly<Record<EditOp['op'], Shape>> = {
  mute: { nodeIds, scope: choice('nodes', 'subtree', 'ancestors') },
  unmute: { nodeIds, scope: choice('nodes', 'subtree', 'ancestors') },
  prune: {
    nodeId,
    include: choice('descendants', 'self'),
    onGenerating: choice('continue', 'cancel', 'reject'),
    detached: { check: detached, want: 'where the fragment came from', optional: true },
  },
  graft: {
    sourceId: nodeId,
    targetId: nodeIdOrNull,
    mode: choice('move', 'copy'),
    index: optionalIndex,
    insertBetween: { check: flag, want: 'true or false', optional: true },
    idMap: { check: idMap, want: 'a map from old id to new id', optional: true },
  },
  uncopy: { nodeId },
  delete: {
    nodeIds,
    how: choice('subtree', 'splice'),
    onGenerating: choice('cancel', 'reject'),
    leafOnly: { check: flag, want: 'true or false', optional: true },
    was: { check: deletedFrom, want: 'where the node was', optional: true },
  },
  restore: { nodeIds, index: optionalIndex },
  reorder: { parentId: nodeIdOrNull, childrenIds: nodeIds },
  leaf: {
    leafId: nodeIdOrNull,
    resolve: choice('exact', 'descend'),
    expect: optional(nodeIdOrNull),
    ifAt: optional(nodeIdOrNull),
  },
  meta: { nodeId, patch },
  session: { patch },
  config: { patch },
  label: {
    nodeId,
    label: { check: textOrNull, want: 'a label, or null to clear it' },
    at: { check: text, want: 'a time', optional: true },
  },
  name: {
    name: { check: textOrNull, want: 'a name, or null to clear it', optional: true },
    ifAuto: { check: flag, want: 'true or false', optional: true },
  },
  added: { nodeIds },
}

/** Accepts what a caller or a log line says only when every field is of the right form; unknown fields are refused. */
export function parseOps(value: unknown): readonly EditRequestOp[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new TreelineError('validation_failed', 'An edit needs a list of at least one operation.')
  }
  value.forEach(checkOp)
  return value as readonly EditRequestOp[]
}

function checkOp(op: unknown, opIndex: number): void {
  const refuse = (what: string): never => {
    throw new TreelineError('validation_failed', `Operation ${opIndex + 1}: ${what}.`, { opIndex })
  }
  const fields = object(op) ? (op as Record<string, unknown>) : refuse('must be an object')
  const name = fields.op
  if (!isOpName(name)) throw refuse(`"op" must be one of ${Object.keys(SHAPES).join(', ')}`)
  const shape = SHAPES[name]
  for (const [field, { check, want, optional }] of Object.entries(shape)) {
    if (!Object.hasOwn(fields, field)) {
      if (!optional) refuse(`"${name}" needs "${field}": ${want}`)
    } else if (!check(fields[field])) refuse(`"${field}" of "${name}" must be ${want}`)
  }
  for (const field of Object.keys(fields)) {
    if (field !== 'op' && !Object.hasOwn(shape, field)) refuse(`"${name}" knows no field "${field}"`)
  }
}

function isOpName(value: unknown): value is EditOp['op'] {
  return typeof value === 'string' && Object.hasOwn(SHAPES, value)
}
