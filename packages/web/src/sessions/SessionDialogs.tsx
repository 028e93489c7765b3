import { useConnection } from '../shell/app-context.ts'
import { useStore } from '../state/store.ts'
import { CompactDialog } from './CompactDialog.tsx'
import { ExportDialog } from './ExportDialog.tsx'
import { sessionDialog } from './session-dialog.ts'
import { TagsDialog } from './TagsDialog.tsx'
import { TrashDialog } from './TrashDialog.tsx'

/** The one that was asked for last. */
export function SessionDialogs() {
  const connection = useConnection()
  const asked = useStore(sessionDialog)
  if (asked === undefined) return null
  const onClose = (): void => sessionDialog.set(undefined)
  if (asked.kind === 'trash') return <TrashDialog connection={connection} onClose={onClose} />
  const props = { sessionId: asked.sessionId, onClose }
  switch (asked.kind) {
    case 'tags':
      return <TagsDialog connection={connection} {...props} />
    case 'export':
      return <ExportDialog {...props} />
    case 'compact':
      return <CompactDialog connection={connection} {...props} />
  }
}
