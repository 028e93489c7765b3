import { redo, undo } from '../shell/undoable.ts'
import { t } from '../words/language.ts'
import { rate } from './actions.ts'
import { toScreen } from './camera.ts'
import { commandsFor } from './commands.ts'
import { NOTHING_FOUND } from './found.ts'
import type { TreeScene } from './scene.ts'
import { jumpToHit } from './search-tree.ts'
import { NOTHING_SELECTED, selectOne } from './selection.ts'
import { nodesMeant } from './targets.ts'
import { type Direction, walk } from './walk.ts'

const WALKS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'parent',
  ArrowRight: 'child',
  ArrowUp: 'previous',
  ArrowDown: 'next',
  Home: 'first',
  End: 'last',
}
const ALT_KEYS: Readonly<Record<string, string>> = { ArrowUp: 'Alt+↑', ArrowDown: 'Alt+↓' }
const ZOOM_STEP = 1.25
/** Those that wait for their turn; any other is left to the page, as ever. */
const COMMAND_KEYS: ReadonlySet<string> = new Set([
  ...['Enter', 'Space', 'Delete', 'x', 'Shift+X', 'p', 'Shift+P', 'i', 'l', 'o', 'Shift+O', 'c', 'm'],
  ...Object.values(ALT_KEYS),
])

/** Does what a key on the stage means; `false` for one that means nothing here. */
export function onStageKey(scene: TreeScene, event: Omit<KeyboardEvent, 'preventDefault'>): boolean {
  const { key, shiftKey } = event
  if (event.ctrlKey || event.metaKey) return onControlKey(scene, key, shiftKey)
  if (event.altKey) return runByName(scene, ALT_KEYS[key])
  const direction = WALKS[key]
  if (direction !== undefined) {
    scene.turns.take(() => walk(scene, direction, shiftKey))
    return true
  }
  return lookAround(scene, key, shiftKey) || rateBy(scene, key) || runCommand(scene, key, shiftKey)
}

function onControlKey(scene: TreeScene, key: string, isShift: boolean): boolean {
  switch (key.toLowerCase()) {
    case 'z':
      scene.turns.take(() => (isShift ? redo(scene.session) : undo(scene.session)))
      return true
    case 'y':
      scene.turns.take(() => redo(scene.session))
      return true
    default:
      return false
  }
}

function lookAround(scene: TreeScene, key: string, isShift: boolean): boolean {
  switch (key) {
    case '+':
    case '=':
      scene.viewport.zoom(ZOOM_STEP)
      return true
    case '-':
    case '_':
      scene.viewport.zoom(1 / ZOOM_STEP)
      return true
    case '0':
      scene.show(scene.focusBox(), true)
      return true
    case 'f':
      scene.fitTrunk()
      return true
    case 'F':
      scene.fitAll()
      return true
    case 'n':
    case 'N':
      jumpToHit(scene, key === 'n' ? 1 : -1)
      return true
    case '/':
      document.querySelector<HTMLElement>('.tree-search input')?.focus()
      return true
    case 't':
      scene.togglePanel('outline')
      return true
    case 's':
      scene.togglePanel('stash')
      return true
    case 'h':
      scene.togglePanel('history')
      return true
    case 'F10':
      return isShift && openMenu(scene)
    case 'ContextMenu':
      return openMenu(scene)
    case 'Escape':
      return letGo(scene)
    default:
      return false
  }
}

/** At the box where the keys are. */
function openMenu(scene: TreeScene): boolean {
  const rect = scene.rectOf(scene.focusBox())
  if (rect === undefined) return false
  scene.show(scene.focusBox())
  const at = toScreen(scene.viewport.camera.get(), { x: rect.left + 24, y: rect.top + 24 })
  const { width, height } = scene.viewport.size
  scene.menu.set({ x: Math.min(Math.max(8, at.x), width - 40), y: Math.min(Math.max(8, at.y), height - 40) })
  return true
}

/** One thing after the other: what is held, what was looked for, what is selected. */
function letGo(scene: TreeScene): boolean {
  scene.turns.forget()
  if (scene.drag.get() !== undefined) scene.drag.set(undefined)
  else if (scene.held.get() !== undefined) scene.held.set(undefined)
  else if (scene.found.get().query !== '') scene.found.set(NOTHING_FOUND)
  else if (scene.selection.get().ids.size > 1) scene.selection.update(({ focus }) => selectOne(focus))
  else if (scene.selection.get() !== NOTHING_SELECTED)
    scene.selection.update(({ focus }) => ({ focus, ids: new Set() }))
  return true
}

function rateBy(scene: TreeScene, key: string): boolean {
  if (!/^[1-5]$/.test(key)) return false
  scene.turns.take(() => {
    const ids = nodesMeant(scene).slice(0, 1_000)
    return ids.length > 0 && rate(scene.session, ids, Number(key))
  })
  return true
}

function runCommand(scene: TreeScene, key: string, isShift: boolean): boolean {
  const name = keyOf(key, isShift)
  // A space that does nothing here must not scroll the page either.
  return runByName(scene, name) || name === 'Space'
}

/** Which command a key means is known when it has its turn: after a cut there is something to graft. */
function runByName(scene: TreeScene, name: string | undefined): boolean {
  if (name === undefined) return false
  const find = () => commandsFor(scene).find(({ key }) => key === name)
  if (scene.turns.isBusy && !COMMAND_KEYS.has(name)) return false
  if (!scene.turns.isBusy && find() === undefined) return false
  scene.turns.take(() => find()?.run())
  return true
}

function keyOf(key: string, isShift: boolean): string {
  if (key === ' ') return 'Space'
  if (key === 'Backspace') return 'Delete'
  return isShift && key.length === 1 ? `Shift+${key.toUpperCase()}` : key
}

/** For the list that `?` shows. */
export const STAGE_KEYS = [
  { keys: '←', label: () => t('To the parent') },
  { keys: '→', label: () => t('To the first child') },
  { keys: '↑ ↓', label: () => t('To the siblings; where there are none, up and down') },
  { keys: 'Home End', label: () => t('To the root, to the end of the trunk') },
  { keys: 'Enter', label: () => t('Make this the trunk') },
  { keys: 'Space', label: () => t('Mute, or not') },
  { keys: 'x', label: () => t('Cut out, into the stash') },
  { keys: 'Shift+X', label: () => t('Prune: cut off what follows') },
  { keys: 'p', label: () => t('Graft what was cut out here') },
  { keys: 'Shift+P', label: () => t('Graft a copy of it here') },
  { keys: 'i', label: () => t('Insert it between this and what follows') },
  { keys: 'Alt+↑↓', label: () => t('Move among its siblings') },
  { keys: 'l', label: () => t('Label…') },
  { keys: '1 – 5', label: () => t('Rate; the same once more takes it away') },
  { keys: 'Delete', label: () => t('Delete with all that follows') },
  { keys: 'o', label: () => t('Open or close') },
  { keys: 'Shift+O', label: () => t('Fold again') },
  { keys: 'Shift+←↑→↓', label: () => t('Select several') },
  { keys: 'c', label: () => t('Compare the two') },
  { keys: 'm', label: () => t('Merge into a new branch') },
  { keys: '+ - 0', label: () => t('Zoom in, out, to readable') },
  { keys: 'f', label: () => t('Fit the trunk') },
  { keys: 'Shift+F', label: () => t('Fit all') },
  { keys: '/', label: () => t('Search in the tree') },
  { keys: 'n Shift+N', label: () => t('To the next hit, to the one before') },
  { keys: 't', label: () => t('Outline') },
  { keys: 's', label: () => t('Stash') },
  { keys: 'h', label: () => t('History') },
  { keys: 'Ctrl+Z Ctrl+Shift+Z', label: () => t('Undo, redo') },
  { keys: 'Menu', label: () => t('What can be done') },
  { keys: 'Esc', label: () => t('Let go') },
] as const
