import type { SessionLog } from '../log/session-log.ts'

export interface FollowOptions {
  /** Starts with the first entry after this line; by default with the next one to come. */
  readonly afterSeq?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export type Followed =
  | { readonly type: 'entry'; readonly seq: number; readonly id: string; readonly row: number }
  /** The log was rewritten: sequence numbers start over, read the tree anew. */
  | { readonly type: 'reset'; readonly epoch: string }

/** Tells of durable lines in order, without a gap and none twice (W1–W3). Holds a position, not a backlog. */
export async function* followLog(log: SessionLog, options: FollowOptions): AsyncGenerator<Followed> {
  const { signal } = options
  let wake = (): void => {}
  let resetTo: string | undefined
  const stop = log.listen((event) => {
    if (event.type === 'reset') resetTo = event.epoch
    wake()
  })
  const onAbort = (): void => wake()
  signal?.addEventListener('abort', onAbort)
  try {
    let next = options.afterSeq === undefined ? log.durableRows : firstRowAfter(log, options.afterSeq)
    await log.refresh()
    while (!signal?.aborted) {
      if (resetTo !== undefined) {
        const epoch = resetTo
        resetTo = undefined
        next = log.durableRows
        yield { type: 'reset', epoch }
      } else if (next < log.durableRows) {
        const { tree } = log
        const row = next++
        yield { type: 'entry', seq: tree.heads.line[row]!, id: tree.ids.textOf(tree.refAtRow(row)), row }
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    stop()
    signal?.removeEventListener('abort', onAbort)
  }
}

function firstRowAfter(log: SessionLog, seq: number): number {
  const { line, count } = log.tree.heads
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (line[middle]! <= seq) low = middle + 1
    else high = middle
  }
  return low
}
