import { graphemesOf, plainText } from '@treeline/core'
import type { Key } from 'ink'
import type { Filter } from '../../drawing/tree-view.ts'
import { moveOfKey } from './move-of-key.ts'
import type { TreeBrowser } from './tree-browser.ts'

/** What is to be told of it above the rows, if anything. What fails rejects, and is told there, too. */
export type Told = undefined | string | Promise<string | undefined>

/** What the owner of the list does. */
export interface TreeCalls {
  /** `isEdited`: the tree may be another than when the list was opened. */
  onPick(nodeId: string, isEdited: boolean): Told
  onMute(nodeId: string): Told
  onPrune(nodeId: string): Told
  /** Hangs a node, or a part that was pruned, under another node. */
  onGraft(nodeId: string, parentId: string): Told
  /** Nothing takes the label away. */
  onLabel(nodeId: string, label: string): Told
  onCopy(nodeId: string): Told
  onUndo(): Told
  onRedo(): Told
  onClose(isEdited: boolean): void
}

export interface TreeKeyCalls extends Omit<TreeCalls, 'onPick' | 'onLabel' | 'onClose'> {
  onChoose(nodeId: string): Told
  /** Lets a label be typed. */
  onAskLabel(nodeId: string): void
  onLeave(): void
}

const FILTER_KEYS: Readonly<Record<string, Filter>> = { t: 'no-tools', u: 'user', l: 'labeled', o: 'all' }

/** Everything without Ctrl or Alt is typing. Gives what the owner began, if anything. */
export function pressTreeKey(browser: TreeBrowser, input: string, key: Key, calls: TreeKeyCalls): Told {
  const move = moveOfKey(key)
  if (move !== undefined) browser.move(move)
  else if (key.leftArrow) browser.fold()
  else if (key.rightArrow) browser.unfold()
  else if (key.escape || (key.ctrl && input === 'c')) leave(browser, calls)
  else if (key.return) return browser.chosen === undefined ? undefined : calls.onChoose(browser.chosen)
  else if (key.backspace || key.delete) browser.search([...graphemesOf(browser.query)].slice(0, -1).join(''))
  else if (key.ctrl) pressCtrl(browser, input)
  else if (key.meta) return pressAlt(browser, input.toLowerCase(), calls)
  else if (!key.tab && input !== '') browser.search(browser.query + plainText(input).replace(/\s+/g, ' '))
  return undefined
}

/** One thing at a time: what is held, the search, the list. */
function leave(browser: TreeBrowser, calls: TreeKeyCalls): void {
  if (browser.held !== undefined) browser.held = undefined
  else if (browser.query !== '') browser.search('')
  else calls.onLeave()
}

function pressCtrl(browser: TreeBrowser, input: string): void {
  const filter = Object.hasOwn(FILTER_KEYS, input) ? FILTER_KEYS[input] : undefined
  if (filter !== undefined) browser.toggleFilter(filter)
}

function pressAlt(browser: TreeBrowser, letter: string, calls: TreeKeyCalls): Told {
  if (letter === 'u') return calls.onUndo()
  if (letter === 'r') return calls.onRedo()
  const { chosen } = browser
  if (chosen === undefined) return
  switch (letter) {
    case 'm':
      return calls.onMute(chosen)
    case 'p':
      browser.stepOut()
      return calls.onPrune(chosen)
    case 'g':
      return graft(browser, chosen, calls)
    case 'l':
      calls.onAskLabel(chosen)
      return
    case 'c':
      return calls.onCopy(chosen)
    default:
      return
  }
}

/** The first takes hold of a node, the second hangs it. What is refused is still held, to be hung elsewhere. */
function graft(browser: TreeBrowser, chosen: string, calls: TreeKeyCalls): Told {
  const { held } = browser
  if (held === undefined || held === chosen) {
    browser.held = held === undefined ? chosen : undefined
    return
  }
  const done = async () => {
    const told = await calls.onGraft(held, chosen)
    browser.held = undefined
    browser.stayWith(held)
    return told
  }
  return done()
}
