import type { DurableEvent, NodeMetadata } from '@treeline/protocol'
import type { OpenSession } from '../state/open-session.ts'
import { reasonFor } from '../words/explain-problem.ts'
import { t } from '../words/language.ts'
import { dismiss, tell } from './notices.ts'
import { goTo } from './route.ts'

type JobName = Extract<DurableEvent, { type: 'job.failed' }>['job']

interface Begun {
  readonly sessionId: string
  readonly job: JobName
  readonly noticeId: number
}

/** Begun in this tab, and not over. */
let underWay: readonly Begun[] = []

/** Says that it is under way for as long as it is. Told before it begins: its end may be quicker than the answer. */
export async function followJob(
  { sessionId, job, text }: { readonly sessionId: string; readonly job: JobName; readonly text: string },
  begin: () => Promise<unknown>,
): Promise<void> {
  const begun: Begun = { sessionId, job, noticeId: tell(text, { kind: 'busy' }) }
  underWay = [...underWay, begun]
  try {
    await begin()
  } catch (error) {
    end((one) => one === begun)
    throw error
  }
}

/** What was begun and goes on by itself: its end, good or bad, is told, because nobody waits for it. */
export function tellOfJobs(session: OpenSession): () => void {
  const { id: sessionId } = session
  const endOne = (job: JobName): void => {
    const first = underWay.find((one) => one.sessionId === sessionId && one.job === job)
    end((one) => one === first)
  }
  const stop = session.onEvent((event) => {
    if (event.type === 'job.failed') {
      endOne(event.job)
      tell(failureText(event), { kind: 'problem' })
    }
    if (event.type !== 'node.created') return
    const { id, metadata = {} } = event.node
    const job = jobOf(metadata)
    if (job === undefined) return
    endOne(job)
    tell(doneText(job), { action: { label: t('Show it'), run: () => goTo({ nodeId: id }) } })
  })
  return () => {
    stop()
    // Of another session's jobs nobody would tell the end.
    end((one) => one.sessionId === sessionId)
  }
}

function end(isOver: (one: Begun) => boolean): void {
  for (const { noticeId } of underWay.filter(isOver)) dismiss(noticeId)
  underWay = underWay.filter((one) => !isOver(one))
}

function jobOf({ kind, summarizedFrom = [] }: NodeMetadata): JobName | undefined {
  if (kind === 'merge') return 'merge'
  if (kind === 'compaction') return 'compact'
  return summarizedFrom.length > 0 ? 'summarize' : undefined
}

function doneText(job: JobName): string {
  switch (job) {
    case 'merge':
      return t('The branches are merged.')
    case 'compact':
      return t('The line is compacted.')
    case 'summarize':
      return t('The summary is there, and what it covers is muted.')
  }
}

function failureText({ job, problem }: Extract<DurableEvent, { type: 'job.failed' }>): string {
  return `${failed(job)}\n${reasonFor(problem.code, problem.detail)}`
}

function failed(job: JobName): string {
  switch (job) {
    case 'merge':
      return t('The branches could not be merged.')
    case 'compact':
      return t('The line could not be compacted.')
    case 'summarize':
      return t('It could not be summed up.')
  }
}
