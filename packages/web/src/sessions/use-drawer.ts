import { type RefObject, useEffect } from 'react'
import { closeDrawer } from '../shell/sidebar.ts'

/** While the list lies over a narrow screen it has the focus, and Escape gives it back. */
export function useDrawer(isOver: boolean, list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!isOver) return
    const before = document.activeElement
    list.current?.querySelector<HTMLElement>('.new-chat')?.focus()
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      closeDrawer()
      if (before instanceof HTMLElement) before.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOver, list])
}
