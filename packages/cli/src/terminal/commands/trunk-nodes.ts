import { Flag, Kind, nodePath, ROOT, Role, type Tree, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import { t } from '../../output/language.ts'

/** The node that the conversation is at: the leaf itself may be a change of model or the like. */
export function lastNode({ tree, leafId }: Session): string {
  const ref = tree.columns.ownerOf(leafRef(tree, leafId))
  if (ref === ROOT) throw new TreelineError('bad_request', t('Nothing has been said here yet.'))
  return tree.ids.textOf(ref)
}

/** The last prompt of the trunk and all that came of it; all of the trunk where there is none. */
export function lastExchange(session: Session): readonly string[] {
  const { tree, leafId } = session
  const refs = nodePath(tree, leafRef(tree, leafId)).filter((ref) => tree.columns.has(ref, Flag.node))
  const isPrompt = (ref: number) => tree.columns.kind[ref] === Kind.message && tree.columns.role[ref] === Role.user
  const from = Math.max(0, refs.findLastIndex(isPrompt))
  return refs.slice(from).map((ref) => tree.ids.textOf(ref))
}

function leafRef(tree: Tree, leafId: string | null): number {
  return leafId === null ? ROOT : Math.max(ROOT, tree.ids.find(leafId))
}
