import { commonAncestor, mergedBranches, ROOT, type Tree, TreelineError } from '@treeline/core'
import type { Stretch } from './branch-messages.ts'
import { findTarget, type Target } from './target.ts'

/** A branch below what it shares with the others. */
export interface SourceBranch extends Stretch {
  readonly sourceId: string
}

export interface Sources {
  readonly sourceIds: readonly string[]
  readonly baseId?: string | null | undefined
}

const MAX_SOURCES = 64

/** Throws for what cannot be merged, before anybody is asked. */
export function findSources(tree: Tree, { sourceIds, baseId }: Sources): readonly SourceBranch[] {
  const different = new Set(sourceIds)
  if (different.size < 2 || different.size < sourceIds.length || sourceIds.length > MAX_SOURCES) {
    const message = `A merge needs from two to ${MAX_SOURCES} different branches.`
    throw new TreelineError('validation_failed', message, { nodeIds: sourceIds })
  }
  // In the stash nothing is above all of them, unless one says where to begin.
  if (baseId === undefined) for (const id of sourceIds) findTarget(tree, id)
  return mergedBranches(tree, sourceIds).map((refs, i) => {
    const sourceId = sourceIds[i]!
    const leaf = refs.at(-1)
    if (leaf !== undefined) return { sourceId, tree, nodes: refs.reverse(), leaf }
    const message = `Node ${sourceId} is above the other branches and has nothing of its own to merge. Leave it out.`
    throw new TreelineError('validation_failed', message, { nodeIds: [sourceId] })
  })
}

/** Where the merged branch begins. */
export function findMergeBase(tree: Tree, { sourceIds, baseId }: Sources): Target {
  if (baseId !== undefined) return findTarget(tree, baseId)
  const ref = sourceIds.map((id) => tree.ids.find(id)).reduce((a, b) => commonAncestor(tree, a, b))
  return { ref, id: ref === ROOT ? null : tree.ids.textOf(ref) }
}
