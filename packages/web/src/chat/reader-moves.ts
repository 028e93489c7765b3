/** What readers scroll by. */
export const MOVES = ['wheel', 'touchmove', 'keydown', 'pointerdown', 'pointermove'] as const

const SCROLL_KEYS = new Set([
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'PageUp',
  'PageDown',
  'Home',
  'End',
  ' ',
])
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'Fn', 'NumLock'])
const FIELDS = 'input, textarea, select, [contenteditable]'

/** Whether what the reader does may scroll this element. Of pressing only the scroll bar does; who drags may select beyond the edge. */
export function doesScroll(event: Event, scroller: HTMLElement): boolean {
  switch (event.type) {
    case 'keydown':
      return doesKeyScroll(event as KeyboardEvent, scroller)
    case 'pointerdown':
      return event.target === scroller
    case 'pointermove':
      return (event as PointerEvent).buttons !== 0
    default:
      return true
  }
}

function doesKeyScroll(event: KeyboardEvent, scroller: HTMLElement): boolean {
  const { key, target } = event
  if (MODIFIERS.has(key)) return false
  // The focus goes where it may have to be brought into sight.
  if (key === 'Tab' || isFindKey(event)) return true
  if (!(target instanceof Element)) return false
  // A browser keeps the caret in sight, here of a message that is edited. Who writes a prompt stays where they read.
  if (target.closest(FIELDS) !== null) return scroller.contains(target)
  return SCROLL_KEYS.has(key) && (scroller.contains(target) || target === document.body)
}

/** The browser's own search goes to what it finds. */
function isFindKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'F3' || ((ctrlKey || metaKey) && ['f', 'g'].includes(key.toLowerCase()))
}
