import { children, isTrunk, roots, session, stashTops } from './data.js'

/**
 * The tree contracted: a run is a stretch without a fork and is one row until it is opened. Of the runs at a fork the
 * trunk's, or the last, goes on at the same depth and comes last; the others stand aside, one step in. So depth counts
 * branches of branches, not messages.
 */
export const runs = []
export const runOf = new Int32Array(session.parent.length)

/** Runs in the order of their rows; each is `{nodes, depth, guides, isStash, isAside, open}`. */
function addRuns(tops, isStash) {
  const waiting = tops.toReversed().map((top) => ({ top, depth: 0, guides: undefined, isAside: false }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { top, depth, guides, isAside } = next
    const nodes = [top]
    for (let at = top; children[at].length === 1; nodes.push(at)) at = children[at][0]
    const index = runs.length
    for (const node of nodes) runOf[node] = index
    runs.push({ nodes, depth, guides, isStash, isAside, open: false })
    const forks = children[nodes.at(-1)]
    if (forks.length === 0) continue
    const main = forks.find(isTrunk) ?? forks.at(-1)
    waiting.push({ top: main, depth, guides, isAside: false })
    for (const fork of forks.toReversed()) {
      if (fork === main) continue
      // Beside every run that stands aside the one that goes on is drawn as a line.
      waiting.push({ top: fork, depth: depth + 1, guides: { node: main, up: guides }, isAside: true })
    }
  }
}

addRuns(roots, false)
export const stashFrom = runs.length
addRuns([...stashTops.keys()], true)

/** Of a small tree every node is shown. */
if (session.parent.length <= 80) for (const run of runs) run.open = true
