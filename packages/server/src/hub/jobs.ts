import { Flag, newEntryId, ROOT, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { LogRecord } from '../services.ts'
import { FAILURE_TYPE, type JobName } from '../wire/job-event.ts'
import { idOrNull } from '../wire/to-node.ts'
import type { Cause } from './causes.ts'
import type { Hub } from './hub.ts'
import type { LiveSession } from './live-session.ts'

/** What a job works with. */
export interface JobOptions {
  /** Of the node that will come of it. */
  readonly id: string
  readonly signal: AbortSignal
  /** Called when nothing is known to be wrong and the long part begins. */
  readonly onBegin: () => void
}

export interface Job {
  readonly name: JobName
  readonly cause: Cause
  /** `undefined` before `onBegin` when there is nothing to do. */
  readonly work: (session: Session, options: JobOptions) => Promise<unknown>
}

/**
 * What takes a model some time and ends in a node: begun for a client, which does not wait for it. What is wrong at once is
 * told at once; what goes wrong later is a line in the log, so that everybody who follows the session gets to know.
 */
export class Jobs {
  private readonly hub: Hub
  private readonly log: (record: LogRecord) => void
  private readonly running = new Set<Promise<void>>()
  private readonly closing = new AbortController()

  constructor({ hub, log }: { readonly hub: Hub; readonly log: (record: LogRecord) => void }) {
    this.hub = hub
    this.log = log
  }

  get count(): number {
    return this.running.size
  }

  /** Resolves with the session’s version when it is under way. */
  async begin(sessionId: string, job: Job): Promise<number> {
    const begun = Promise.withResolvers<void>()
    let hasBegun = false
    const onBegin = (): void => {
      hasBegun = true
      begun.resolve()
    }
    let version = 0
    const done = this.hub.use(sessionId, async (live) => {
      version = live.session.seq
      try {
        const made = await this.run(live, job, onBegin)
        if (made === undefined && !hasBegun) throw new TreelineError('validation_failed', 'There is nothing to sum up.')
      } catch (error) {
        if (!hasBegun) throw toTell(error)
        await this.fail(live, job, error)
      }
    })
    const over = done.catch(() => {}).finally(() => this.running.delete(over))
    this.running.add(over)
    await Promise.race([begun.promise, done])
    return version
  }

  /** Stops what is under way: nothing of it is written. */
  async close(): Promise<void> {
    this.closing.abort()
    await Promise.all(this.running)
  }

  private async run({ session, causes }: LiveSession, { cause, work }: Job, onBegin: () => void): Promise<unknown> {
    const id = newEntryId((taken) => session.tree.ids.find(taken) > ROOT)
    causes.note([id], cause)
    try {
      return await work(session, { id, signal: this.closing.signal, onBegin })
    } finally {
      // Of what is written it was taken by then, or will be.
      if (session.tree.ids.find(id) <= ROOT) causes.take(id)
    }
  }

  private async fail({ session, causes }: LiveSession, { name: job, cause }: Job, error: unknown): Promise<void> {
    const code = error instanceof TreelineError ? error.code : 'internal'
    const detail = error instanceof TreelineError ? error.message : 'Something went wrong in the server.'
    this.log({ level: 'warn', message: 'job failed', job, sessionId: session.id, requestId: cause.requestId, code })
    const id = newEntryId((taken) => session.tree.ids.find(taken) > ROOT)
    causes.note([id], cause)
    const entry = { type: 'custom', id, customType: FAILURE_TYPE, data: { job, code, detail } }
    try {
      await session.append(entry, { parentId: seatFor(session), leaf: 'stay' })
    } catch (failure) {
      this.log({ level: 'error', message: 'job failed', job, sessionId: session.id, error: String(failure) })
    }
  }
}

/** Nothing hangs under an answer that is still being generated. */
function seatFor({ tree, leafId }: Session): string | null {
  if (leafId === null) return null
  const { columns, ids } = tree
  const ref = ids.find(leafId)
  return columns.has(ref, Flag.generating) ? idOrNull(tree, columns.parent[ref]!) : leafId
}

/** A provider that wants a key is nothing a client’s own credential could help with. */
function toTell(error: unknown): unknown {
  if (!(error instanceof TreelineError) || error.code !== 'unauthorized') return error
  return new TreelineError('provider_error', error.message, error.details, { cause: error })
}
