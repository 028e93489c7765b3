import { Flag, ROOT, type Tree } from '@treeline/core'
import { NO_PARENT, type PackedColumns, packColumns, type Role, type TreeColumns } from '@treeline/protocol'
import { type ListOptions, listNodes } from './list-nodes.ts'
import { roleOfNode } from './node-role.ts'
import { createdMs } from './node-time.ts'

const ROLES: readonly Role[] = ['system', 'user', 'assistant', 'tool']
/** `detached` stands on all of a fragment, not only on its top: nobody has to walk up to know. */
const ColumnFlag = { disabled: 1, detached: 2, generating: 4, labelled: 16, deleted: 32 } as const

/**
 * The whole tree as arrays. Linear, and reads no body, so that it does not tell which nodes are errors (flag 8): a
 * skeleton of those on screen does.
 */
export function toColumns(tree: Tree, options: ListOptions = {}): PackedColumns {
  const { columns, ids } = tree
  const refs = [...listNodes(tree, options)]
  const place = new Int32Array(ids.count)
  for (const [at, ref] of refs.entries()) place[ref] = at
  const extra = flagsFromEdits(tree)
  return packColumns({
    id: refs.map((ref) => ids.textOf(ref)),
    parent: refs.map((ref) => {
      const parent = columns.parent[ref]!
      if (parent === ROOT) return NO_PARENT.root
      return parent > ROOT ? place[parent]! : NO_PARENT.fragment
    }),
    role: refs.map((ref) => ROLES.indexOf(roleOfNode(tree, ref))),
    flags: refs.map((ref) => {
      const muted = columns.has(ref, Flag.muted) ? ColumnFlag.disabled : 0
      const generating = columns.has(ref, Flag.generating) ? ColumnFlag.generating : 0
      return muted | generating | extra[ref]!
    }),
    time: refs.map((ref) => createdMs(tree, ref)),
    reordered: reorderedIn(tree, refs, place),
  })
}

function flagsFromEdits({ columns, edits, ids }: Tree): Uint8Array {
  const flags = new Uint8Array(ids.count)
  for (const top of edits.fragments.keys()) for (const ref of columns.subtree(top)) flags[ref]! |= ColumnFlag.detached
  for (const top of edits.deleted.keys()) for (const ref of columns.subtree(top)) flags[ref]! |= ColumnFlag.deleted
  for (const id of edits.labels.keys()) {
    const ref = ids.find(id)
    if (ref > ROOT) flags[ref]! |= ColumnFlag.labelled
  }
  for (const [ref, meta] of edits.meta) if (meta.has('labels')) flags[ref]! |= ColumnFlag.labelled
  return flags
}

/** The children of those parents under which they do not stand as they came. Roots stand in the head of the answer. */
function reorderedIn({ columns, ids }: Tree, refs: readonly number[], place: Int32Array): TreeColumns['reordered'] {
  const reordered: [string, string[]][] = []
  for (const ref of refs) {
    let before = columns.firstChild[ref]!
    for (let at = before; at > 0; before = at, at = columns.next[at]!) {
      if (place[at]! >= place[before]!) continue
      reordered.push([ids.textOf(ref), columns.children(ref).map((child) => ids.textOf(child))])
      break
    }
  }
  return Object.fromEntries(reordered)
}
