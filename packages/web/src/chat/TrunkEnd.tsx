import { tellProblem } from '../shell/notices.ts'
import type { OpenSession } from '../state/open-session.ts'
import { t } from '../words/language.ts'
import { leafState } from './leaf-state.ts'
import { answerAgain } from './message-actions.ts'
import type { Row } from './trunk-rows.ts'
import { useIsRunning } from './use-is-running.ts'

/** Below the last message: what goes on there, or the way on when nothing does. */
export function TrunkEnd({ session, rows }: { readonly session: OpenSession; readonly rows: readonly Row[] }) {
  const { tree } = session
  const last = rows.at(-1)
  const leafId = last?.kind === 'message' ? last.key : tree.activeLeafId
  const place = tree.place(leafId)
  const state = leafState(tree, place, leafId === null ? undefined : session.node(leafId))
  const isRunning = useIsRunning(session, state === 'working' ? leafId : undefined)
  if (leafId === null || place < 0) return null
  const branches = tree.children.count(place)
  if (branches > 0) {
    return (
      <p className="trunk-end">
        {branches === 1
          ? t('The conversation goes on from here on a branch. What you say now begins another.')
          : t('{count} branches go on from here. What you say now begins another.', { count: branches })}{' '}
        <button
          type="button"
          className="link"
          onClick={() => void session.setActiveLeaf(leafId, 'descend').catch(tellProblem)}
        >
          {t('Go to the latest')}
        </button>
      </p>
    )
  }
  if (state === 'working' && isRunning) {
    return (
      <p className="trunk-end" role="status">
        <span className="writing" />{' '}
        {session.approvals.waiting.some(({ nodeId }) => nodeId === leafId)
          ? t('It waits for your answer.')
          : t('Tools are at work…')}
      </p>
    )
  }
  if (state === 'question' || (state === 'working' && isRunning === false)) {
    return (
      <p className="trunk-end">
        {state === 'question' ? t('Nobody has answered this.') : t('The work stopped here.')}{' '}
        <button type="button" className="link" onClick={() => void answerAgain(session, leafId)}>
          {state === 'question' ? t('Have it answered') : t('Go on')}
        </button>
      </p>
    )
  }
  return null
}
