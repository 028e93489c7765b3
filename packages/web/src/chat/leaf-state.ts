import type { ChatMessageNode } from '@treeline/protocol'
import { NodeFlag, type TreeModel } from '../state/tree-model.ts'

/**
 * How the end of the trunk stands: nothing said yet, an answer being written, tools at work (or left undone), a failure, a
 * question nobody has answered, or an answer.
 */
export type LeafState = 'empty' | 'generating' | 'working' | 'failed' | 'question' | 'answered'

/** `node` is what the leaf says, when that is known already. */
export function leafState(tree: TreeModel, place: number, node: ChatMessageNode | undefined): LeafState {
  if (place < 0) return 'empty'
  if (tree.has(place, NodeFlag.generating)) return 'generating'
  if (tree.has(place, NodeFlag.error)) return 'failed'
  const role = tree.roleOf(place)
  if (role === 'user') return 'question'
  // What a person ran by hand waits for nothing.
  if (role === 'tool') return node?.metadata?.kind === 'bash' ? 'answered' : 'working'
  return node?.parts?.some(({ type }) => type === 'tool_call') ? 'working' : 'answered'
}

/** Something said now would come in between. */
export function isBusy(state: LeafState): boolean {
  return state === 'generating' || state === 'working'
}
