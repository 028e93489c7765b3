import { t } from '../words/language.ts'
import type { KeyHelp } from './keys.ts'

/** What `message-keys.ts` and the box to write in understand. */
export const CHAT_KEYS: readonly KeyHelp[] = [
  { keys: 'Enter', label: () => t('Send, when the box has the focus') },
  { keys: 'Shift Enter', label: () => t('New line') },
  { keys: '↑ ↓', label: () => t('From message to message') },
  { keys: '→', label: () => t('To the buttons of the message') },
  { keys: '[ ]', label: () => t('Version before and after') },
  { keys: 'e', label: () => t('Say it differently') },
  { keys: 'r', label: () => t('Answer once more') },
  { keys: 'b', label: () => t('Go on from here') },
  { keys: 'm', label: () => t('Mute: the model no longer gets it') },
  { keys: 'c', label: () => t('Copy') },
  { keys: 's', label: () => t('Stop') },
  { keys: 't', label: () => t('Show in the tree') },
]
