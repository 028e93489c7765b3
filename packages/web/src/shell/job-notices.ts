import type { DurableEvent, NodeMetadata } from '@treeline/protocol'
import type { OpenSession } from '../state/open-session.ts'
import { t } from '../words/language.ts'
import { tell } from './notices.ts'
import { goTo } from './route.ts'

/** What was begun and goes on by itself: its end, good or bad, is told, because nobody waits for it. */
export function tellOfJobs(session: OpenSession): () => void {
  return session.onEvent((event) => {
    if (event.type === 'job.failed') tell(failureText(event), { kind: 'problem' })
    if (event.type !== 'node.created') return
    const { id, metadata = {} } = event.node
    const text = doneText(metadata)
    if (text !== undefined)
      tell(text, { action: { label: t('Show it'), run: () => goTo({ view: 'chat', nodeId: id }) } })
  })
}

function doneText({ kind, summarizedFrom = [] }: NodeMetadata): string | undefined {
  if (kind === 'merge') return t('The branches are merged.')
  if (kind === 'compaction') return t('The line is compacted.')
  return summarizedFrom.length > 0 ? t('The summary is there, and what it covers is muted.') : undefined
}

function failureText({ job, problem }: Extract<DurableEvent, { type: 'job.failed' }>): string {
  const values = { problem: problem.detail }
  switch (job) {
    case 'merge':
      return t('The branches could not be merged: {problem}', values)
    case 'compact':
      return t('The line could not be compacted: {problem}', values)
    case 'summarize':
      return t('It could not be summed up: {problem}', values)
  }
}
