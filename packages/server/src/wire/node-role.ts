import { Kind, Role, type Tree } from '@treeline/core'
import type { NodeMetadata, Role as WireRole } from '@treeline/protocol'

/** By the stored role. What a tool of the field wrote that is neither said nor answered is of the system. */
const ROLES: ReadonlyMap<number, WireRole> = new Map([
  [Role.user, 'user'],
  [Role.fileMention, 'user'],
  [Role.assistant, 'assistant'],
  [Role.toolResult, 'tool'],
  [Role.bashExecution, 'tool'],
  [Role.pythonExecution, 'tool'],
])

/** Told without the body. */
export function roleOfNode({ columns }: Tree, ref: number): WireRole {
  if (columns.kind[ref] !== Kind.message) return 'system'
  return ROLES.get(columns.role[ref]!) ?? 'system'
}

/** What a node is that is not a plain message. Whether a custom message is a merge, its body says. */
export function kindOfNode({ columns }: Tree, ref: number): NodeMetadata['kind'] {
  switch (columns.kind[ref]) {
    case Kind.compaction:
      return 'compaction'
    case Kind.branch_summary:
      return 'branch_summary'
    case Kind.custom_message:
      return 'custom_message'
    default:
      if (columns.role[ref] === Role.custom) return 'custom_message'
      return columns.role[ref] === Role.bashExecution ? 'bash' : undefined
  }
}
