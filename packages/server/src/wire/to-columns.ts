import { Flag, ROOT, type Tree } from '@treeline/core'
import type { ColumnsTree, Role } from '@treeline/protocol'
import { listNodes } from './list-nodes.ts'
import { roleOfNode } from './node-role.ts'
import { createdMs } from './node-time.ts'

type ColumnsOfTree = ColumnsTree['columns']

const ROLES: readonly Role[] = ['system', 'user', 'assistant', 'tool']
/** `detached` stands on all of a fragment, not only on its top: nobody has to walk up to know. */
const ColumnFlag = { disabled: 1, detached: 2, generating: 4, labelled: 16 } as const
const NO_PARENT = -1
const IN_STASH = -2

/**
 * The whole tree as arrays. Linear, and reads no body, so that it does not tell which nodes are errors (flag 8): a
 * skeleton of those on screen does.
 */
export function toColumns(tree: Tree): ColumnsOfTree {
  const { columns, ids } = tree
  const refs = [...listNodes(tree)]
  const place = new Int32Array(ids.count)
  for (const [at, ref] of refs.entries()) place[ref] = at
  const extra = flagsFromEdits(tree)
  const times = refs.map((ref) => createdMs(tree, ref))
  const timeBase = times[0] ?? 0
  return {
    id: refs.map((ref) => ids.textOf(ref)),
    parent: refs.map((ref) => {
      const parent = columns.parent[ref]!
      if (parent === ROOT) return NO_PARENT
      return parent > ROOT ? place[parent]! : IN_STASH
    }),
    role: refs.map((ref) => ROLES.indexOf(roleOfNode(tree, ref))),
    flags: refs.map((ref) => {
      const muted = columns.has(ref, Flag.muted) ? ColumnFlag.disabled : 0
      const generating = columns.has(ref, Flag.generating) ? ColumnFlag.generating : 0
      return muted | generating | extra[ref]!
    }),
    time: times.map((ms) => ms - timeBase),
    timeBase,
    reordered: reorderedIn(tree, refs, place),
  }
}

function flagsFromEdits({ columns, edits, ids }: Tree): Uint8Array {
  const flags = new Uint8Array(ids.count)
  for (const top of edits.fragments.keys()) for (const ref of columns.subtree(top)) flags[ref]! |= ColumnFlag.detached
  for (const id of edits.labels.keys()) {
    const ref = ids.find(id)
    if (ref > ROOT) flags[ref]! |= ColumnFlag.labelled
  }
  return flags
}

/** The children of those parents under which they do not stand as they came. Roots stand in the head of the answer. */
function reorderedIn({ columns, ids }: Tree, refs: readonly number[], place: Int32Array): ColumnsOfTree['reordered'] {
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
