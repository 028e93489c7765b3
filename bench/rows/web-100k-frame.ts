import type { Job } from '../child/job.ts'
import { treelineProgram } from '../inputs/programs.ts'
import { scaled, sessionOfEntries } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianFact } from '../statistics.ts'

export const web100kFrame: ProcessRow = {
  id: 'web-100k-frame',
  what: 'panning and zooming over a tree of 100,000 nodes at 1280×800, all branches unfolded: a frame (p50) | an empty canvas doing the same',

  plan(work) {
    const { ours, summary } = sessionOfEntries(work, scaled(100_000))
    const web = { program: treelineProgram(work) }
    const tree: Job = { side: 'page/web', action: 'frame', home: ours.home, sessionId: summary.id, web }
    const empty: Job = { side: 'page/empty-canvas', action: 'frame', home: ours.home }
    return {
      warms: [ours.path],
      minRounds: 3,
      sides: { tree: () => ({ jobs: [tree] }), empty: () => ({ jobs: [empty] }) },
      expected: { nodes: summary.messageCount, isDrawn: 'true', frames: 239 },
      parts: ({ tree, empty }) => {
        const [ours, theirs] = [medianFact(tree!, 'medianMs'), medianFact(empty!, 'medianMs')]
        const also = { p95Ms: round(medianFact(tree!, 'p95Ms')), theirP95Ms: round(medianFact(empty!, 'p95Ms')) }
        return [{ suffix: '', ours, theirs, unit: 'ms', bound: 'at most', target: 1.2, also }]
      },
    }
  },
}

function round(ms: number): number {
  return Number(ms.toFixed(2))
}
