import { graphemesOf, plainText } from '@treeline/core'
import type { Key } from 'ink'
import type { Filter } from '../../drawing/tree-view.ts'
import { moveOfKey } from './move-of-key.ts'
import type { TreeBrowser } from './tree-browser.ts'

type Done = void | Promise<void>

/** What the owner of the list does. It tells the user itself when something fails. */
export interface TreeCalls {
  onPick(nodeId: string): Done
  onMute(nodeId: string): Done
  onPrune(nodeId: string): Done
  onUndo(): Done
  onClose(): Done
}

const FILTER_KEYS: Readonly<Record<string, Filter>> = { t: 'no-tools', u: 'user', l: 'labeled', o: 'all' }

/** Everything without Ctrl or Alt is typing. Gives what the owner began, if anything. */
export function pressTreeKey(browser: TreeBrowser, input: string, key: Key, calls: TreeCalls): Done {
  const move = moveOfKey(key)
  if (move !== undefined) browser.move(move)
  else if (key.leftArrow) browser.fold()
  else if (key.rightArrow) browser.unfold()
  else if (key.escape) return leave(browser, calls)
  else if (key.return) return browser.chosen === undefined ? undefined : calls.onPick(browser.chosen)
  else if (key.backspace || key.delete) browser.search([...graphemesOf(browser.query)].slice(0, -1).join(''))
  else if (key.ctrl) pressCtrl(browser, input)
  else if (key.meta) return pressAlt(browser, input, calls)
  else if (!key.tab && input !== '') browser.search(browser.query + plainText(input).replace(/\s+/g, ' '))
}

function leave(browser: TreeBrowser, calls: TreeCalls): Done {
  if (browser.query === '') return calls.onClose()
  browser.search('')
}

function pressCtrl(browser: TreeBrowser, input: string): void {
  const filter = Object.hasOwn(FILTER_KEYS, input) ? FILTER_KEYS[input] : undefined
  if (filter !== undefined) browser.toggleFilter(filter)
}

function pressAlt(browser: TreeBrowser, input: string, calls: TreeCalls): Done {
  const letter = input.toLowerCase()
  if (letter === 'u') return calls.onUndo()
  const { chosen } = browser
  if (chosen === undefined) return
  if (letter === 'm') return calls.onMute(chosen)
  if (letter !== 'p') return
  browser.stepOut()
  return calls.onPrune(chosen)
}
