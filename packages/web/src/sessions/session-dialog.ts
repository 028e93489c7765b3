import { createStore } from '../state/store.ts'

/** What is asked about a session in front of everything else. */
export interface SessionDialog {
  readonly kind: 'tags' | 'export' | 'compact'
  readonly sessionId: string
}

export const sessionDialog = createStore<SessionDialog | { readonly kind: 'trash' } | undefined>(undefined)
