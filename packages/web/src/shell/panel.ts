import { createStore } from '../state/store.ts'

/** What stands beside the view. */
export const panel = createStore<'none' | 'line'>('none')
