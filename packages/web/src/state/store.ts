import { useSyncExternalStore } from 'react'

/** Something that changes and says so. What `get` gives is the same object until it has changed. */
export interface Store<T> {
  get(): T
  subscribe(onChange: () => void): () => void
}

export interface WritableStore<T> extends Store<T> {
  set(value: T): void
  update(change: (value: T) => T): void
}

export function createStore<T>(initial: T): WritableStore<T> {
  let value = initial
  const listeners = new Set<() => void>()
  const set = (next: T): void => {
    if (Object.is(next, value)) return
    value = next
    for (const listener of [...listeners]) listener()
  }
  return {
    get: () => value,
    set,
    update: (change) => set(change(value)),
    subscribe(onChange) {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
  }
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get)
}
