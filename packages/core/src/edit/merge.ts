import type { Entry } from '../entry/entry.ts'
import { EDIT_TYPE } from '../entry/kind.ts'
import { assertNever, TreelineError } from '../errors.ts'
import { Flag, ROOT } from '../tree/columns.ts'
import { commonAncestor, nodePath } from '../tree/path.ts'
import type { Tree } from '../tree/tree.ts'
import { planAppend } from './append.ts'
import { defaultSource, type EditSource } from './plan.ts'

export const MERGE_TYPE = 'treeline/merge'

export interface MergeRequest {
  /** Ends of the branches to merge; two or more. */
  readonly sourceIds: readonly string[]
  /** What the model will read: see `mergeText`, or a text a model has written from it. */
  readonly text: string
  /** Where the merged branch starts; by default the deepest node above all sources. */
  readonly baseId?: string | null
  readonly by?: string
}

/** A merge is a new node under the common ancestor that names its sources, and an edit that makes it undoable. */
export function planMerge(
  tree: Tree,
  leaf: number,
  request: MergeRequest,
  source: EditSource = defaultSource(tree),
): Entry[] {
  const sources = request.sourceIds.map((id) => requireNode(tree, id))
  if (new Set(sources).size < 2) {
    throw new TreelineError('validation_failed', 'A merge needs two or more different branches.', {
      nodeIds: [...request.sourceIds],
    })
  }
  const base = request.baseId === undefined ? sources.reduce((a, b) => commonAncestor(tree, a, b)) : undefined
  const parentId = base === undefined ? (request.baseId as string | null) : base === ROOT ? null : tree.ids.textOf(base)
  const { entry, lines } = planAppend(
    tree,
    {
      parentId,
      draft: {
        type: 'custom_message',
        customType: MERGE_TYPE,
        content: request.text,
        display: true,
        details: { mergedFrom: request.sourceIds },
      },
    },
    source,
  )
  const { id } = entry
  const leafId = leaf === ROOT ? null : tree.ids.textOf(leaf)
  const data = {
    ops: [{ op: 'added', nodeIds: [id] }],
    inverse: [
      { op: 'delete', nodeIds: [id], how: 'subtree', leafOnly: true },
      { op: 'leaf', leafId, ifAt: parentId },
    ],
    ...(request.by !== undefined && { by: request.by }),
  }
  const timestamp = source.now()
  return [...lines, { type: 'custom', id: source.newId(), parentId: id, timestamp, customType: EDIT_TYPE, data }]
}

/** The nodes of each branch below what all of them share. */
export function mergedBranches(tree: Tree, sourceIds: readonly string[]): number[][] {
  const sources = sourceIds.map((id) => requireNode(tree, id))
  const base = sources.reduce((a, b) => commonAncestor(tree, a, b))
  return sources.map((ref) => {
    const path = nodePath(tree, ref)
    return path.slice(path.indexOf(base) + 1)
  })
}

export interface MergeBranch {
  readonly title: string
  readonly messages: readonly { readonly role: string; readonly text: string }[]
}

/** One text from several branches: one after the other, or turn by turn. */
export function mergeText(branches: readonly MergeBranch[], strategy: 'concat' | 'interleave'): string {
  switch (strategy) {
    case 'concat':
      return branches
        .map(({ title, messages }) => [`## ${title}`, ...messages.map(({ role, text }) => `${role}: ${text}`)])
        .map((lines) => lines.join('\n\n'))
        .join('\n\n')
    case 'interleave': {
      const longest = Math.max(0, ...branches.map(({ messages }) => messages.length))
      const lines: string[] = []
      for (let turn = 0; turn < longest; turn++) {
        for (const { title, messages } of branches) {
          const message = messages[turn]
          if (message !== undefined) lines.push(`${title}, ${message.role}: ${message.text}`)
        }
      }
      return lines.join('\n\n')
    }
    default:
      return assertNever(strategy)
  }
}

function requireNode(tree: Tree, id: string): number {
  const ref = tree.ids.find(id)
  if (ref > ROOT && tree.columns.has(ref, Flag.node) && !tree.columns.has(tree.columns.topOf(ref), Flag.deleted)) {
    return ref
  }
  throw new TreelineError('node_not_found', `There is no node ${id} in this session to merge.`, { nodeIds: [id] })
}
