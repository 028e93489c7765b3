import { createStore } from '../state/store.ts'

const KEPT = 'treeline.sidebar'

/** Whether the list of conversations stands at the left, and whether it lies over a narrow screen. */
export const sidebar = createStore({ isOpen: wasOpen(), isOver: false })

/** On a narrow screen it lies over the rest and goes again; on a wide one it stands beside it, or not, until changed. */
export function toggleSidebar(): void {
  const { isOpen, isOver } = sidebar.get()
  if (isNarrow()) sidebar.set({ isOpen, isOver: !isOver })
  else setOpen(!isOpen)
}

export function showSidebar(): void {
  if (isNarrow()) sidebar.update((state) => ({ ...state, isOver: true }))
  else setOpen(true)
}

/** Whether what stands in the list can be seen. */
export function isListInSight(): boolean {
  const { isOpen, isOver } = sidebar.get()
  return isNarrow() ? isOver : isOpen
}

export function closeDrawer(): void {
  if (sidebar.get().isOver) sidebar.update((state) => ({ ...state, isOver: false }))
}

function setOpen(isOpen: boolean): void {
  localStorage.setItem(KEPT, isOpen ? 'open' : 'closed')
  sidebar.set({ isOpen, isOver: false })
}

/** The same width at which the styles make it a drawer. */
function isNarrow(): boolean {
  return matchMedia('(max-width: 760px)').matches
}

function wasOpen(): boolean {
  return typeof localStorage === 'undefined' || localStorage.getItem(KEPT) !== 'closed'
}
