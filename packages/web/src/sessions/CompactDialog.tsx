import { routes } from '@treeline/protocol'
import { useState } from 'react'
import { tellExplained } from '../chat/explain-problem.ts'
import type { Connection } from '../server/connection.ts'
import { Dialog } from '../shell/Dialog.tsx'
import { tell } from '../shell/notices.ts'
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
      await connection.call(routes.compact, {
        params: { sessionId },
        body: wanted === '' ? {} : { instructions: wanted },
      })
      tell(t('The line is being compacted. The summary appears when it is written.'))
    } catch (error) {
      tellExplained(error)
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
        aria-label={t('What the summary should mind (not needed)')}
        placeholder={t('What the summary should mind (not needed)')}
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
