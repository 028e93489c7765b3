import type { Entry } from '../entry/entry.ts'
import { Kind, Role } from '../entry/kind.ts'
import { Flag, ROOT } from '../tree/columns.ts'
import { attachedLeaf } from '../tree/leaf.ts'
import { nodePath } from '../tree/path.ts'
import type { Tree } from '../tree/tree.ts'
import type { TreeSource } from './ascii-tree.ts'
import { textOf } from './text-of.ts'

const KIND_NAMES = namesByNumber(Kind)
const ROLE_NAMES = namesByNumber(Role)

/**
 * The attached nodes of a session's tree, in order, to be drawn; the stash and what is deleted are not part of it. Bodies are
 * asked for one by one, as lines are drawn. The leaf is the log's unless a writer gives its own.
 */
export function treeSource(
  tree: Tree,
  readBody: (ref: number) => Entry | undefined,
  leaf: number = attachedLeaf(tree),
): TreeSource<number> {
  const { columns, edits, ids } = tree
  const path = nodePath(tree, leaf)
  const trunk = new Set(path)
  const trunkEnd = path.at(-1)
  return {
    roots: columns.children(ROOT),
    children: (ref) => columns.children(ref),
    id: (ref) => ids.textOf(ref),
    type: (ref) => typeName(columns.kind[ref]!, columns.role[ref]!),
    text: (ref) => {
      const body = readBody(ref)
      return body === undefined ? '' : textOf(body)
    },
    marks: (ref) => ({
      trunk: trunk.has(ref),
      leaf: ref === trunkEnd,
      muted: columns.has(ref, Flag.muted),
      generating: columns.has(ref, Flag.generating),
      label: edits.labels.get(ids.textOf(ref))?.label,
    }),
  }
}

/** A message is known by its role, anything else by its type. */
function typeName(kind: number, role: number): string {
  if (kind !== Kind.message) return KIND_NAMES[kind] ?? 'other'
  return role === Role.none ? 'message' : (ROLE_NAMES[role] ?? 'other')
}

function namesByNumber(table: Readonly<Record<string, number>>): readonly (string | undefined)[] {
  const names: string[] = []
  for (const [name, number] of Object.entries(table)) names[number] = name
  return names
}
