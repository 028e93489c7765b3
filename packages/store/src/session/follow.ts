import type { Tree } from '@treeline/core'
import type { SessionLog } from '../log/session-log.ts'

export interface FollowOptions {
  /** Starts with the first entry after this line; by default with the next one to come after the call. */
  readonly afterSeq?: number | undefined
  /** The `epoch` that `afterSeq` was read in. When it is not the log's any more, a `reset` comes first. */
  readonly epoch?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export type Followed =
  | { readonly type: 'entry'; readonly seq: number; readonly id: string; readonly row: number }
  /** The log was rewritten: sequence numbers start over, read the tree anew. */
  | { readonly type: 'reset'; readonly epoch: string }

/** What a follower was told of by its log and has not dealt with. */
interface News {
  resetTo: string | undefined
  isGone: boolean
  isOver: boolean
  wait(): Promise<void>
  end(): void
}

/**
 * Tells of durable lines in order, without a gap and none twice (W1–W3). Holds a position, not a backlog. Listens from the
 * call on, until it is ended by `return`, `break` or the signal. Throws `session_not_found` when the log was deleted.
 */
export function followLog(log: SessionLog, options: FollowOptions): AsyncGenerator<Followed> {
  const news = listenTo(log, options.signal)
  const told = tell(log, news, options, log.durableRows)
  return {
    next: () => told.next(),
    return: (value) => {
      news.end()
      return told.return(value)
    },
    throw: (error) => {
      news.end()
      return told.throw(error)
    },
    [Symbol.asyncIterator]() {
      return this
    },
    async [Symbol.asyncDispose]() {
      await this.return(undefined)
    },
  }
}

/** The line number of the last entry; that of the header when there is none. */
export function lastSeq({ heads }: Tree): number {
  return heads.count === 0 ? 1 : heads.line[heads.count - 1]!
}

function listenTo(log: SessionLog, signal: AbortSignal | undefined): News {
  let wake = (): void => {}
  const stop = log.listen((event) => {
    if (event.type === 'reset') news.resetTo = event.epoch
    if (event.type === 'gone') news.isGone = true
    wake()
  })
  const news: News = {
    resetTo: undefined,
    isGone: false,
    isOver: false,
    wait: () =>
      new Promise((resolve) => {
        wake = resolve
      }),
    end() {
      news.isOver = true
      stop()
      signal?.removeEventListener('abort', news.end)
      wake()
    },
  }
  signal?.addEventListener('abort', news.end)
  if (signal?.aborted) news.end()
  return news
}

async function* tell(log: SessionLog, news: News, options: FollowOptions, start: number): AsyncGenerator<Followed> {
  const { afterSeq, epoch } = options
  try {
    await log.refresh()
    let next = start
    if (afterSeq !== undefined) {
      next = firstRowAfter(log.tree, afterSeq)
      // Whoever says which log the position is of has no need to hear of changes before that.
      if (epoch === log.epoch) news.resetTo = undefined
      // A line that is not there was told of by a log that is no more; of one with several entries, perhaps not all were.
      if (afterSeq > lastSeq(log.tree) || isShared(log.tree, afterSeq, next)) news.resetTo = log.epoch
    }
    if (epoch !== undefined && epoch !== log.epoch) news.resetTo = log.epoch
    while (!news.isOver) {
      if (news.resetTo !== undefined) {
        const { resetTo } = news
        news.resetTo = undefined
        next = log.durableRows
        yield { type: 'reset', epoch: resetTo }
      } else if (next < log.durableRows) {
        const { tree } = log
        const row = next++
        yield { type: 'entry', seq: tree.heads.line[row]!, id: tree.ids.textOf(tree.refAtRow(row)), row }
      } else if (news.isGone) {
        news.isGone = false
        // Throws, unless it is back by now.
        await log.refresh()
      } else {
        await news.wait()
      }
    }
  } finally {
    news.end()
  }
}

/** Whether the line has more than one row; `next` is the first one after it. */
function isShared({ heads: { line } }: Tree, seq: number, next: number): boolean {
  return next > 1 && line[next - 1] === seq && line[next - 2] === seq
}

function firstRowAfter({ heads }: Tree, seq: number): number {
  const { line, count } = heads
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (line[middle]! <= seq) low = middle + 1
    else high = middle
  }
  return low
}
