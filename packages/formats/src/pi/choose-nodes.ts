import { attachedNodes, Flag, Role, type Tree } from '@treeline/core'

export type LeftOutReason = 'muted' | 'generating' | 'result' | 'detached'

export interface ChosenNodes {
  /** Every node in the tree, parents first. */
  readonly attached: ReadonlySet<number>
  /** Those of them that are in the copy. */
  readonly taken: ReadonlySet<number>
  readonly leftOut: Readonly<Record<LeftOutReason, number>>
}

/**
 * Which nodes tools can show that know no edits. A result without its call is refused by providers: it goes with it, as it
 * does from the line.
 */
export function chooseNodes(tree: Tree): ChosenNodes {
  const attached = new Set<number>()
  const taken = new Set<number>()
  const leftOut = { muted: 0, generating: 0, result: 0, detached: 0 }
  /** Nodes whose nearest answer, themselves or above, is left out. */
  const silenced = new Set<number>()
  const { columns, edits } = tree
  for (const ref of attachedNodes(tree)) {
    attached.add(ref)
    const isAnswer = columns.role[ref] === Role.assistant
    const isSilenced = !isAnswer && silenced.has(columns.parent[ref]!)
    const reason = reasonFor(tree, ref, isSilenced)
    if (reason === undefined) taken.add(ref)
    else leftOut[reason]++
    if (isSilenced || (isAnswer && reason !== undefined)) silenced.add(ref)
  }
  for (const tops of [edits.fragments, edits.deleted]) {
    for (const top of tops.keys()) for (const _ of columns.subtree(top)) leftOut.detached++
  }
  return { attached, taken, leftOut }
}

function reasonFor(tree: Tree, ref: number, isSilenced: boolean): Exclude<LeftOutReason, 'detached'> | undefined {
  if (tree.columns.has(ref, Flag.muted)) return 'muted'
  if (tree.bodyRow(ref) < 0) return 'generating'
  return isSilenced && tree.columns.role[ref] === Role.toolResult ? 'result' : undefined
}
