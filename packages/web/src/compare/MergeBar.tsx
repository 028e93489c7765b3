import { type BodyOf, type Routes, routes } from '@treeline/protocol'
import { useState } from 'react'
import { chatOf } from '../chat/chat-state.ts'
import { followJob } from '../shell/job-notices.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import type { Comparison } from './comparison.ts'

type Strategy = BodyOf<Routes['merge']>['strategy']

const STRATEGIES: readonly Strategy[] = ['synthesize', 'concat', 'interleave']

interface MergeBarProps {
  readonly comparison: Comparison
  readonly leafIds: readonly string[]
  readonly onBegun: () => void
}

/** Makes one node of both branches, under what they share. Both stay. */
export function MergeBar({ comparison, leafIds, onBegun }: MergeBarProps) {
  const [strategy, setStrategy] = useState<Strategy>('synthesize')
  const { session } = comparison
  const { compared } = useStore(comparison.state)
  const sides = compared === undefined ? [] : [compared.left, compared.right]
  // What is muted is not merged.
  const isEmpty = sides.some((nodes) => nodes.length > 0 && nodes.every(({ isEnabled }) => !isEnabled))
  const merge = async (): Promise<void> => {
    const [model] = chatOf(session).choice.get().models
    const text = t('The branches are being merged. The new node appears where they part.')
    try {
      await followJob({ sessionId: session.id, job: 'merge', text }, () =>
        session.connection.call(routes.merge, {
          params: { sessionId: session.id },
          body: { leafIds: [...leafIds], strategy, ...(strategy === 'synthesize' && model !== undefined && { model }) },
        }),
      )
      onBegun()
    } catch (error) {
      comparison.tell(error)
    }
  }
  return (
    <footer className="merge-bar">
      <fieldset>
        <legend>{t('Merge into a new branch')}</legend>
        {STRATEGIES.map((one) => (
          <label key={one}>
            <input type="radio" name="strategy" checked={strategy === one} onChange={() => setStrategy(one)} />
            <span>
              {namesOf(one).name} <small>{namesOf(one).what}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {isEmpty && <p className="merge-note">{t('All of one side is muted, so there is nothing of it to merge.')}</p>}
      <button type="button" className="primary" disabled={isEmpty} onClick={() => void merge()}>
        {t('Merge')}
      </button>
    </footer>
  )
}

function namesOf(strategy: Strategy): { readonly name: string; readonly what: string } {
  switch (strategy) {
    case 'synthesize':
      return { name: t('Synthesis'), what: t('a model writes the best of both') }
    case 'concat':
      return { name: t('One after the other'), what: t('left, then right, word for word') }
    case 'interleave':
      return { name: t('In turns'), what: t('message by message, word for word') }
  }
}
