import type { KeyboardEvent } from 'react'

/** The keys of a menu, on the list of its items. */
export function onMenuKey(event: KeyboardEvent<HTMLElement>, onClose: () => void): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const next = nextItem(event.key, items, at)
  if (next !== undefined) next.focus()
  else if (event.key === 'Escape' || event.key === 'Tab') onClose()
  else return
  event.preventDefault()
  event.stopPropagation()
}

function nextItem(key: string, items: readonly HTMLElement[], at: number): HTMLElement | undefined {
  switch (key) {
    case 'ArrowDown':
      return items[(at + 1) % items.length]
    case 'ArrowUp':
      return items[(at - 1 + items.length) % items.length]
    case 'Home':
      return items[0]
    case 'End':
      return items.at(-1)
    default: {
      if (key.length !== 1 || key === ' ') return undefined
      const after = [...items.slice(at + 1), ...items.slice(0, at + 1)]
      const letter = key.toLowerCase()
      return after.find(({ textContent }) => textContent.replace('✓', '').trim().toLowerCase().startsWith(letter))
    }
  }
}
