import { addNodes, createForest, type Forest, SLOT, setFlags, setLeaf } from './forest.ts'
import { layOut, type View } from './lay-out.ts'
import type { LayoutAnswer, LayoutRequest } from './messages.ts'

export interface LayoutWorkerOptions {
  readonly post: (answer: LayoutAnswer) => void
  /** Runs something when the messages that have already come are read. */
  readonly later: (run: () => void) => void
}

/**
 * Takes requests and answers with layouts. Requests that come while one is worked on are taken together: only the last
 * picture is drawn, so a burst of nodes costs one layout.
 */
export function createLayoutWorker({ post, later }: LayoutWorkerOptions): (request: LayoutRequest) => void {
  let forest: Forest | undefined
  let view: View | undefined
  let revision = 0
  let isDue = false

  const answer = (): void => {
    isDue = false
    if (forest !== undefined && view !== undefined) post({ type: 'layout', revision, layout: layOut(forest, view) })
  }

  return (request) => {
    revision = request.revision
    view = request.view ?? view
    if (request.tree) forest = createForest(request.tree)
    if (forest !== undefined && !change(forest, request)) {
      // Laid out as it is, the nodes that come next would stand under the wrong parents.
      forest = undefined
      post({ type: 'behind', revision })
    }
    if (isDue) return
    isDue = true
    later(answer)
  }
}

/** False if nodes are missing. Nodes that are here already came twice, and stay. */
function change(forest: Forest, { added, changed, leaf }: LayoutRequest): boolean {
  if (added) {
    const known = forest.end - SLOT - added.from
    if (known < 0) return false
    addNodes(forest, { parent: added.parent.subarray(known), flags: added.flags.subarray(known) })
  }
  if (changed) changed.places.forEach((place, at) => void setFlags(forest, place, changed.flags[at] ?? 0))
  if (leaf !== undefined) setLeaf(forest, leaf)
  return true
}
