import { createStore } from '../state/store.ts'

/** Which two branches stand side by side, by a node in each; one that is not named is chosen. */
export interface CompareRequest {
  readonly left?: string
  readonly right?: string
}

export const compareRequest = createStore<CompareRequest | undefined>(undefined)

/** Opens the comparison, from a menu or with what is selected in the tree. */
export function openCompare(request: CompareRequest): void {
  compareRequest.set(request)
}
