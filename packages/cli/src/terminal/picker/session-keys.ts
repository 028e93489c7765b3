import { graphemesOf, plainText } from '@treeline/core'
import type { Key } from 'ink'
import { moveOfKey } from '../lists/move-of-key.ts'
import type { PickerRow } from './picker-row.ts'
import type { SessionBrowser } from './session-browser.ts'

/** What the picker does itself. */
export interface SessionCalls {
  onPick(): void
  onRename(row: PickerRow): void
  onTrash(row: PickerRow): void
  onPreview(): void
  onClose(): void
}

/** Everything without Ctrl is typing. */
export function pressSessionKey(browser: SessionBrowser, input: string, key: Key, calls: SessionCalls): void {
  const { chosen, query } = browser
  const move = moveOfKey(key)
  if (move !== undefined) browser.move(move)
  else if (key.escape) leave(browser, calls)
  else if (key.return) calls.onPick()
  else if (key.tab) browser.toggleScope()
  else if (key.delete) chosen === undefined ? undefined : calls.onTrash(chosen)
  else if (key.backspace) browser.search([...graphemesOf(query)].slice(0, -1).join(''))
  else if (key.ctrl) pressCtrl(browser, input, calls)
  else if (!key.meta) {
    typeInto(browser, input)
    // Over a slow line several keys come as one.
    if (input.endsWith('\r')) calls.onPick()
  }
}

/** What is no text is not looked for. */
export function typeInto(browser: SessionBrowser, input: string): void {
  const typed = plainText(input.replace(/\p{Cc}/gu, ''))
  if (typed !== '') browser.search(browser.query + typed)
}

function leave(browser: SessionBrowser, calls: SessionCalls): void {
  if (browser.query === '') calls.onClose()
  else browser.search('')
}

function pressCtrl(browser: SessionBrowser, letter: string, calls: SessionCalls): void {
  const { chosen } = browser
  if (letter === 'c') calls.onClose()
  else if (letter === 's') browser.nextOrder()
  else if (letter === 'f') browser.nextSearched()
  else if (letter === 't') browser.toggleThreads()
  else if (letter === 'p') calls.onPreview()
  else if (letter === 'u') browser.search('')
  else if (letter === 'n' && chosen !== undefined) calls.onRename(chosen)
  else if (letter === 'd' && chosen !== undefined) calls.onTrash(chosen)
}
