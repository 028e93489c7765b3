import { createStore } from '../state/store.ts'

/** A key and what it does. A label that is a function is asked when it is shown, in the reader's language then. */
export interface KeyHelp {
  readonly keys: string
  readonly label: string | (() => string)
}

interface KeyArea {
  readonly name: string | (() => string)
  readonly keys: readonly KeyHelp[]
}

/** What the list of shortcuts shows: each view tells its own, in the order in which they came. */
export const keyAreas = createStore<readonly KeyArea[]>([])

/**
 * Puts the keys of a view into the list that `?` shows. Gives a function that takes them out.
 *
 * @example
 * useEffect(() => registerKeys(() => t('Tree'), [{ keys: 'F2', label: () => t('Rename') }]), [])
 */
export function registerKeys(name: KeyArea['name'], keys: readonly KeyHelp[]): () => void {
  const area: KeyArea = { name, keys }
  keyAreas.update((all) => [...all, area])
  return () => keyAreas.update((all) => all.filter((one) => one !== area))
}

export function said(text: string | (() => string)): string {
  return typeof text === 'string' ? text : text()
}
