import { tellProblem } from '../shell/notices.ts'
import { goTo } from '../shell/route.ts'
import type { OpenSession } from '../state/open-session.ts'
import { NodeFlag } from '../state/tree-model.ts'
import { t } from '../words/language.ts'
import { chatOf } from './chat-state.ts'
import type { Row } from './trunk-rows.ts'

interface FoundElsewhereProps {
  readonly session: OpenSession
  readonly rows: readonly Row[]
  readonly foundId: string | undefined
}

/** The address names a message that the chat does not show: it is muted, on another branch or in the stash. */
export function FoundElsewhere({ session, rows, foundId }: FoundElsewhereProps) {
  const { tree } = session
  const place = foundId === undefined ? -1 : tree.place(foundId)
  if (foundId === undefined || place < 0 || rows.some(({ key }) => key === foundId)) return null
  const isHidden = rows.some((row) => row.kind === 'hidden' && row.ids.includes(foundId))
  const isAttached = !tree.has(place, NodeFlag.detached | NodeFlag.deleted)
  return (
    <div className="chat-bar" role="status">
      <span>{isHidden ? t('What you looked for is muted.') : t('What you looked for is on another branch.')}</span>
      {isHidden && (
        <button
          type="button"
          className="link"
          onClick={() => chatOf(session).opened.update((before) => new Set(before).add(foundId))}
        >
          {t('Show it')}
        </button>
      )}
      {!isHidden && isAttached && (
        <button
          type="button"
          className="link"
          onClick={() => void session.setActiveLeaf(foundId, 'descend').catch(tellProblem)}
        >
          {t('Switch to it')}
        </button>
      )}
      <button type="button" className="link" onClick={() => goTo({ view: 'tree', nodeId: foundId })}>
        {t('Show in the tree')}
      </button>
    </div>
  )
}
