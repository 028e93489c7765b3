import { ChoiceView } from './ChoiceView.tsx'
import type { Dialog } from './dialog.ts'
import { LineView } from './LineView.tsx'

interface DialogProps {
  readonly dialog: Dialog
  readonly columns: number
  readonly isUnicode: boolean
}

/** What the user is asked. It takes all keys until it is answered. */
export function DialogView({ dialog, columns, isUnicode }: DialogProps) {
  const size = { columns, isUnicode }
  return dialog.type === 'choice' ? <ChoiceView {...dialog} {...size} /> : <LineView {...dialog} {...size} />
}
