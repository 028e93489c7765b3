import { routes } from '@treeline/protocol'
import { useEffect, useState } from 'react'
import { tellExplained } from '../chat/explain-problem.ts'
import { useSession } from '../shell/app-context.ts'
import { language, t } from '../words/language.ts'
import { undo } from './actions.ts'
import { type HistoryItem, listEdits } from './history.ts'
import type { TreeScene } from './scene.ts'

/** How far back it looks. */
const LINES = 300

/** What was done to the tree, by whom, and the way back from each. */
export function HistoryPanel({ scene }: { readonly scene: TreeScene }) {
  const session = useSession()
  const { version } = session
  const [items, setItems] = useState<readonly HistoryItem[]>([])
  useEffect(() => {
    let isOver = false
    const query = { afterSeq: Math.max(0, version - LINES), limit: 500 }
    session.connection
      .call(routes.getEvents, { params: { sessionId: session.id }, query })
      .then(({ events }) => !isOver && setItems(listEdits(events)), tellExplained)
    return () => {
      isOver = true
    }
  }, [session, version])
  return (
    <aside className="tree-history" aria-label={t('History')}>
      <h2>{t('History')}</h2>
      {items.length === 0 && <p>{t('Nothing was edited yet.')}</p>}
      <ol>
        {items.map((item) => (
          <li key={item.key}>
            <button
              type="button"
              className="link"
              disabled={item.nodeId === undefined}
              onClick={() => item.nodeId !== undefined && scene.goTo(item.nodeId)}
            >
              {item.text}
            </button>
            <small>
              {item.by} {new Date(item.at).toLocaleTimeString(language.get())}
            </small>
            {item.opId !== undefined && (
              <button type="button" onClick={() => void undo(session, item.opId)}>
                {t('Undo')}
              </button>
            )}
          </li>
        ))}
      </ol>
    </aside>
  )
}
