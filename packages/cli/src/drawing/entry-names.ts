import { Kind, Role, type Tree } from '@treeline/core'

const KIND_NAMES = new Map<number, string>(Object.entries(Kind).map(([name, number]) => [number, name]))
const ROLE_NAMES = new Map<number, string>(Object.entries(Role).map(([name, number]) => [number, name]))
/** Kinds that stand on disk as something else. */
const OWN: readonly number[] = [Kind.edit, Kind.generation, Kind.treeline]

/** What an entry is, as its line says it. */
export interface EntryName {
  readonly type: string
  /** Of a message. */
  readonly role: string | undefined
}

/** From the columns alone; `undefined` when only the line itself says it: a type or role that we do not know. */
export function nameOf({ columns }: Tree, ref: number): EntryName | undefined {
  const kind = columns.kind[ref]!
  if (kind === Kind.other) return undefined
  if (kind !== Kind.message) return { type: OWN.includes(kind) ? 'custom' : KIND_NAMES.get(kind)!, role: undefined }
  const role = columns.role[ref]!
  return role === Role.other || role === Role.none ? undefined : { type: 'message', role: ROLE_NAMES.get(role)! }
}

/** The one word for a person: a message is known by its role, anything else by its type. */
export function wordOf({ columns }: Tree, ref: number): string {
  const kind = columns.kind[ref]!
  if (kind !== Kind.message) return KIND_NAMES.get(kind) ?? 'other'
  const role = columns.role[ref]!
  return role === Role.none ? 'message' : (ROLE_NAMES.get(role) ?? 'other')
}
