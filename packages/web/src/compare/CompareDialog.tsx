import { useEffect, useMemo } from 'react'
import { useSession } from '../shell/app-context.ts'
import { Dialog } from '../shell/Dialog.tsx'
import { Told } from '../shell/Told.tsx'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { ComparedRows } from './ComparedRows.tsx'
import { type CompareRequest, compareRequest } from './compare-state.ts'
import { Comparison } from './comparison.ts'
import { MergeBar } from './MergeBar.tsx'
import { SideHead } from './SideHead.tsx'

/** Two branches from where they part, side by side; one can be kept, or both made into one. */
export function CompareDialog() {
  const request = useStore(compareRequest)
  return request === undefined ? null : <Compared request={request} />
}

function Compared({ request }: { readonly request: CompareRequest }) {
  const session = useSession()
  const comparison = useMemo(() => new Comparison(session), [session])
  const state = useStore(comparison.state)
  const close = (): void => compareRequest.set(undefined)
  useEffect(() => {
    void comparison.begin(request)
    return () => comparison.close()
  }, [comparison, request])
  const { branches, compared, problem, isBusy, left, right } = state
  const ancestor = compared?.commonAncestorId
  useEffect(() => {
    if (ancestor) session.want([ancestor], 'skeleton')
  }, [session, ancestor])
  const hasOne = !isBusy && branches.length < 2 && problem === undefined
  return (
    <Dialog title={t('Compare branches')} className="compare" onClose={close}>
      {problem !== undefined && (
        <p className="problem">
          <Told text={problem} />
        </p>
      )}
      {hasOne ? (
        <p className="compare-note">
          {t('There is one branch so far. Say something differently, or have it answered once more, and compare then.')}
        </p>
      ) : (
        <>
          <div className="compare-heads">
            <SideHead comparison={comparison} side="left" onKept={close} />
            <SideHead comparison={comparison} side="right" onKept={close} />
          </div>
          {ancestor != null && (
            <p className="compare-shared">
              {t('Both go on from: {text}', { text: session.bodies.preview(ancestor)?.slice(0, 140) ?? '…' })}
            </p>
          )}
          {compared !== undefined ? (
            <ComparedRows comparison={comparison} compared={compared} />
          ) : (
            <p className="compare-note">{isBusy ? t('Loading…') : t('Choose two different branches.')}</p>
          )}
          {left !== undefined && right !== undefined && left !== right && (
            <MergeBar comparison={comparison} leafIds={[left, right]} onBegun={close} />
          )}
        </>
      )}
    </Dialog>
  )
}
