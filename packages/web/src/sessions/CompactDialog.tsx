import { routes } from '@treeline/protocol'
import { useState } from 'react'
import type { Connection } from '../server/connection.ts'
import { Dialog } from '../shell/Dialog.tsx'
import { followJob } from '../shell/job-notices.ts'
import { tellProblem } from '../shell/notices.ts'
import { t } from '../words/language.ts'

interface CompactDialogProps {
  readonly connection: Connection
  readonly sessionId: string
  readonly onClose: () => void
}

/** Has the beginning of the trunk summed up, after saying what that means. */
export function CompactDialog({ connection, sessionId, onClose }: CompactDialogProps) {
  const [instructions, setInstructions] = useState('')
  const begin = async (): Promise<void> => {
    onClose()
    const wanted = instructions.trim()
    try {
      const text = t('The line is being compacted. The summary appears when it is written.')
      const body = wanted === '' ? {} : { instructions: wanted }
      await followJob({ sessionId, job: 'compact', text }, () =>
        connection.call(routes.compact, { params: { sessionId }, body }),
      )
    } catch (error) {
      tellProblem(error)
    }
  }
  return (
    <Dialog title={t('Compact the line')} onClose={onClose}>
      <p>
        {t(
          'A model sums up the beginning of the trunk, and the summary is sent in its place. Nothing is removed: the messages stay in the tree, and the line panel takes the summary back whenever you like.',
        )}
      </p>
      <textarea
        rows={3}
        value={instructions}
        aria-label={t('What the summary should mind (optional)')}
        placeholder={t('What the summary should mind (optional)')}
        onChange={({ target }) => setInstructions(target.value)}
      />
      <footer className="row-of-buttons">
        <button type="button" onClick={onClose}>
          {t('Cancel')}
        </button>
        <button type="button" className="primary" onClick={() => void begin()}>
          {t('Compact')}
        </button>
      </footer>
    </Dialog>
  )
}
