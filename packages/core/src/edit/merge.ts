import { assertNever, TreelineError } from '../errors.ts'
import { Flag, ROOT } from '../tree/columns.ts'
import { commonAncestor, nodePath } from '../tree/path.ts'
import type { Tree } from '../tree/tree.ts'

/** The `customType` of a node that brings branches together: a message whose `details.mergedFrom` names them. */
export const MERGE_TYPE = 'treeline/merge'

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
