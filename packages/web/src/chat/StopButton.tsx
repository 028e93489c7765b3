import type { OpenSession } from '../state/open-session.ts'
import { t } from '../words/language.ts'
import { Icon } from './Icon.tsx'
import { leafState } from './leaf-state.ts'
import { stopAnswers } from './message-actions.ts'
import type { Row } from './trunk-rows.ts'
import { useIsRunning } from './use-is-running.ts'

/** While something goes on at the end of the trunk. */
export function StopButton({ session, rows }: { readonly session: OpenSession; readonly rows: readonly Row[] }) {
  const { tree } = session
  const last = rows.at(-1)
  const leafId = last?.kind === 'message' ? last.key : undefined
  const state = leafId === undefined ? 'empty' : leafState(tree, tree.place(leafId), session.node(leafId))
  const isRunning = useIsRunning(session, state === 'working' ? leafId : undefined)
  const isBusy = state === 'generating' || (state === 'working' && isRunning === true)
  const stop = (): void => {
    if (leafId === undefined) return
    const path = tree.pathTo(tree.place(leafId)).map((place) => tree.ids[place]!)
    void stopAnswers(session, new Set(path))
  }
  return (
    <>
      {/* For those who hear the page: the answer itself is not read out word by word. */}
      <span className="hidden-label" role="status">
        {isBusy ? t('The answer is being written.') : state === 'answered' ? t('The answer is there.') : ''}
      </span>
      {isBusy && (
        <button type="button" onClick={stop}>
          <Icon name="stop" /> {t('Stop')}
        </button>
      )}
    </>
  )
}
