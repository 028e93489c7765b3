import { useEffect, useMemo } from 'react'
import { formatTime } from '../chat/format-details.ts'
import { useSession } from '../shell/app-context.ts'
import { Told } from '../shell/Told.tsx'
import { redo, undo } from '../shell/undoable.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { EditHistory } from './edit-history.ts'
import { type HistoryItem, listEdits } from './history.ts'
import type { TreeScene } from './scene.ts'

/** What was done to the tree, by whom, and the way back from each. */
export function HistoryPanel({ scene }: { readonly scene: TreeScene }) {
  const session = useSession()
  const { tree } = session
  // A log that was written anew has other lines.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree is another one then.
  const history = useMemo(() => new EditHistory(session), [session, tree])
  const { events, hasEarlier, problem } = useStore(history.state)
  useEffect(() => history.follow(), [history])
  const items = useMemo(() => listEdits(events), [events])
  return (
    <aside className="tree-history" aria-label={t('History')}>
      <h2>{t('History')}</h2>
      {problem !== undefined && (
        <p className="problem">
          <Told text={problem} />
        </p>
      )}
      {items.length === 0 && !hasEarlier && <p>{t('Nothing was edited yet.')}</p>}
      <ol>
        {items.map((item) => (
          <Edit key={item.key} scene={scene} item={item} />
        ))}
      </ol>
      {hasEarlier && (
        <button type="button" className="link" onClick={() => void history.readEarlier()}>
          {t('Show earlier edits')}
        </button>
      )}
    </aside>
  )
}

function Edit({ scene, item }: { readonly scene: TreeScene; readonly item: HistoryItem }) {
  const { opId, nodeId, isUndone } = item
  const { session } = scene
  return (
    <li className={isUndone ? 'is-undone' : undefined}>
      <button
        type="button"
        className="link"
        disabled={nodeId === undefined}
        onClick={() => nodeId !== undefined && scene.goTo(nodeId)}
      >
        {item.text}
      </button>
      <small>
        {isUndone && <span className="badge">{t('undone')}</span>} {item.by} {formatTime(Date.parse(item.at))}
      </small>
      {opId !== undefined && (
        <button type="button" onClick={() => void (isUndone ? redo(session, opId) : undo(session, opId))}>
          {isUndone ? t('Redo') : t('Undo')}
        </button>
      )}
    </li>
  )
}
