import { t } from '../output/language.ts'

/** What keys do in the chat, in the order in which somebody meets them. */
export const keysHelp: readonly (readonly [keys: string, what: () => string])[] = [
  ['Enter', () => t('sends; Shift+Enter, Alt+Enter or Ctrl+J begins a line')],
  ['Esc', () => t('cancels what runs; closes a menu or a list')],
  ['Esc Esc', () => t('goes back to an earlier prompt')],
  ['Ctrl+C', () => t('cancels, empties the editor, and leaves when pressed twice')],
  ['Ctrl+D', () => t('leaves when the editor is empty')],
  ['Ctrl+Z', () => t('stops the chat; fg in the shell goes on with it')],
  ['Up, Down', () => t('earlier and later prompts; move in a menu')],
  ['Tab', () => t('takes what the menu offers: /commands, their arguments, @files')],
  ['@', () => t('names a file or folder that goes with the prompt')],
  ['Ctrl+R', () => t('searches earlier prompts')],
  ['Ctrl+G', () => t('writes in your own editor ($VISUAL, $EDITOR); Ctrl+X Ctrl+E, too')],
  ['Ctrl+V', () => t('pastes an image or text from the clipboard')],
  ['Ctrl+T', () => t('the tree')],
  ['Ctrl+O', () => t('unfolds thoughts and output of tools')],
]
