import { createStore } from '../state/store.ts'

export type Theme = 'system' | 'light' | 'dark'

const KEPT = 'treeline.theme'

export const theme = createStore<Theme>(keptTheme())

export function chooseTheme(next: Theme): void {
  localStorage.setItem(KEPT, next)
  theme.set(next)
  showTheme(next)
}

function keptTheme(): Theme {
  if (typeof localStorage === 'undefined') return 'system'
  const kept = localStorage.getItem(KEPT)
  const known = kept === 'light' || kept === 'dark' ? kept : 'system'
  showTheme(known)
  return known
}

function showTheme(shown: Theme): void {
  if (shown === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = shown
}
