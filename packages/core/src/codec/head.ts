import type { Entry } from '../entry/entry.ts'
import { Kind, kindOf, Role, roleOf, treeReadsBody } from '../entry/kind.ts'
import type { Head } from './heads.ts'
import type { LogRecord } from './record.ts'

/** The head of a parsed record: what the scanner otherwise takes from the first bytes. */
export function headOf(record: LogRecord): Head {
  const { value, offset, length, line } = record
  const { id, parentId, timestamp } = value
  const kind = kindOf(value.type, value.customType)
  return {
    kind,
    role: headRole(kind, value),
    // An empty one tells nothing from anything.
    id: typeof id === 'string' && id !== '' ? id : undefined,
    parentId: typeof parentId === 'string' || parentId === null ? parentId : undefined,
    timeMs: typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN,
    offset,
    length,
    line,
    ...(treeReadsBody(kind) ? { body: value as Entry } : {}),
  }
}

/** The role byte of an entry: a message's role; of a model change, whether it is for a role of its own (`smol`, `plan` …). */
export function headRole(kind: Kind, entry: Readonly<Record<string, unknown>>): Role {
  if (kind === Kind.message) return readRole(entry.message)
  const { role } = entry
  const isOwn = kind === Kind.model_change && typeof role === 'string' && role !== '' && role !== 'default'
  return isOwn ? Role.other : Role.none
}

function readRole(message: unknown): Role {
  return typeof message === 'object' && message !== null ? roleOf((message as { role?: unknown }).role) : Role.none
}
