import { type EditPlan, type EditRequest, planEdit, ROOT, type Tree } from '@treeline/core'
import type { EditResult } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import { idOrNull } from '../../wire/to-node.ts'
import { withBodies } from '../../wire/with-bodies.ts'
import { shownOf, toResult } from './edit-result.ts'

/**
 * What an edit would answer. It is carried out in memory and taken back within one step, so nobody sees it. Versions are
 * those of now, and ids that nobody chose are drawn anew when it is meant.
 */
export async function dryRun(session: Session, request: EditRequest): Promise<EditResult> {
  // An edit that is meant catches up with other writers, too.
  await session.refresh()
  return withBodies(
    session,
    (tree) => lookAfter(session, request, (plan) => shownOf(tree, plan).map((id) => bodyIdOf(tree, id))),
    (tree, bodyOf) =>
      lookAfter(session, request, (plan) => {
        const activeLeafId =
          plan.leafId === null ? null : idOrNull(tree, tree.columns.ownerOf(tree.ids.find(plan.leafId)))
        const state = { version: session.seq, opId: null, activeLeafId }
        return toResult(tree, plan, state, (id) => bodyOf(bodyIdOf(tree, id)))
      }),
  )
}

function lookAfter<T>({ tree, leafId }: Session, request: EditRequest, look: (plan: Omit<EditPlan, 'entry'>) => T): T {
  const leaf = leafId === null ? ROOT : tree.ids.find(leafId)
  const seen: T[] = []
  planEdit(tree, leaf, request, undefined, (plan) => seen.push(look(plan)))
  return seen[0]!
}

/** A copy that is not made yet has the body of its original. */
function bodyIdOf({ ids, edits }: Tree, id: string): string {
  const copy = edits.copies.get(ids.find(id))
  return copy === undefined ? id : ids.textOf(copy.body)
}
