import type { Job } from '../child/job.ts'
import { session100k } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianFact, medianMs } from '../statistics.ts'

export const columns100k: ProcessRow = {
  id: 'columns-100k',
  what: '100,000 nodes over HTTP as columns, from the request to the last byte | as skeleton objects, streamed or in pages: the faster',

  plan(work) {
    const { ours, summary } = session100k(work)
    const side = (action: string) => () => {
      const job: Job = { side: 'server', action, home: ours.home, sessionId: summary.id }
      return { jobs: [job] }
    }
    return {
      warms: [ours.path],
      minRounds: 3,
      sides: { columns: side('columns'), stream: side('skeletonStream'), pages: side('skeletonPages') },
      expected: { nodes: summary.messageCount },
      parts: ({ columns, stream, pages }) => {
        const [streamMs, pagesMs] = [medianMs(stream!), medianMs(pages!)]
        const megabytes = (samples: typeof columns) => Number((medianFact(samples!, 'bytes') / 1e6).toFixed(2))
        return [
          {
            suffix: '',
            ours: medianMs(columns!),
            theirs: Math.min(streamMs, pagesMs),
            unit: 'ms',
            bound: 'at most',
            target: 1 / 10,
            also: {
              streamMs: Math.round(streamMs),
              pagesMs: Math.round(pagesMs),
              mb: megabytes(columns),
              skeletonMb: megabytes(stream),
            },
          },
        ]
      },
    }
  },
}
