import { isDeepStrictEqual } from 'node:util'
import type { EditRequestOp } from '@treeline/core'
import type { Routes } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import type { Handler } from '../../http/handler.ts'

type Patch = Parameters<Handler<Routes['patchSession']>>[1]['body']

/** What is said of a session as a whole, as operations of one edit. */
export function sessionOperations({ title, tags, mode, starred, archived, settings }: Patch): EditRequestOp[] {
  const patch = withoutUndefined({ tags: tags && [...new Set(tags)], mode, starred, archived })
  const config = withoutUndefined({ ...settings })
  return [
    ...(title === undefined ? [] : [{ op: 'name', name: title.trim() === '' ? null : title.trim() } as const]),
    ...(Object.keys(patch).length === 0 ? [] : [{ op: 'session', patch } as const]),
    ...(Object.keys(config).length === 0 ? [] : [{ op: 'config', patch: config } as const]),
  ]
}

/** Those that change something: where all is so already there is no line and no event. */
export function changing({ name, tree }: Session, operations: readonly EditRequestOp[]): EditRequestOp[] {
  const { edits } = tree
  return operations.flatMap((op): EditRequestOp[] => {
    if (op.op === 'name') return (op.name ?? undefined) === name ? [] : [op]
    if (op.op !== 'session' && op.op !== 'config') return [op]
    const now = edits[op.op]
    const changed = Object.entries(op.patch).filter(([key, value]) => !isDeepStrictEqual(now.get(key) ?? null, value))
    return changed.length === 0 ? [] : [{ op: op.op, patch: Object.fromEntries(changed) }]
  })
}

function withoutUndefined(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
