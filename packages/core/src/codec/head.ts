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
    role: kind === Kind.message ? readRole(value.message) : Role.none,
    id: typeof id === 'string' ? id : undefined,
    parentId: typeof parentId === 'string' || parentId === null ? parentId : undefined,
    timeMs: typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN,
    offset,
    length,
    line,
    ...(treeReadsBody(kind) ? { body: value as Entry } : {}),
  }
}

function readRole(message: unknown): Role {
  return typeof message === 'object' && message !== null ? roleOf((message as { role?: unknown }).role) : Role.none
}
