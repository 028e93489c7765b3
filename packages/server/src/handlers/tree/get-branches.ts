import { type Branch as BranchOfTree, listBranches, ROOT } from '@treeline/core'
import type { Branch, Routes } from '@treeline/protocol'
import { type Handler, isKnown } from '../../http/handler.ts'
import { toBranch } from '../../wire/to-branch.ts'
import { withBodies } from '../../wire/with-bodies.ts'

const BATCH = 512

/** In the order of the tree. Of very many, those where something was said last. */
export const getBranches: Handler<Routes['getBranches']> = ({ hub, limits }, asking) =>
  hub.use(asking.params.sessionId, async (live) => {
    const { session } = live
    const { tree, leafId, seq: version } = session
    if (isKnown(asking, live)) return { status: 304, version }
    const leaf = leafId === null ? ROOT : tree.ids.find(leafId)
    const branches = newest(listBranches(tree, leaf), limits.treeNodes)
    const body: Branch[] = []
    for (let start = 0; start < branches.length; start += BATCH) {
      const batch = branches.slice(start, start + BATCH)
      const shown = await withBodies(
        session,
        () => batch.map(({ leafId }) => leafId),
        (tree, bodyOf) => batch.map((branch) => toBranch(tree, branch, bodyOf(branch.leafId))),
      )
      body.push(...shown)
    }
    return { status: 200, version, body }
  })

function newest(branches: readonly BranchOfTree[], count: number): readonly BranchOfTree[] {
  if (branches.length <= count) return branches
  const rank = ({ isTrunk, line }: BranchOfTree) => (isTrunk ? Number.POSITIVE_INFINITY : line)
  const kept = new Set([...branches].sort((a, b) => rank(b) - rank(a)).slice(0, count))
  return branches.filter((branch) => kept.has(branch))
}
