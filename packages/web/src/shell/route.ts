import { createStore } from '../state/store.ts'
import { formatRoute, parseRoute, type Route } from './address.ts'

export const route = createStore<Route>(
  typeof location === 'undefined'
    ? { sessionId: undefined, view: 'chat', nodeId: undefined }
    : parseRoute(new URL(location.href)),
)

export function goTo(change: Partial<Route>): void {
  const next = { ...route.get(), nodeId: undefined, ...change }
  history.pushState(null, '', formatRoute(next))
  route.set(next)
}

/** Listens to the browser's back and forward. */
export function followHistory(): () => void {
  const onPop = (): void => route.set(parseRoute(new URL(location.href)))
  addEventListener('popstate', onPop)
  return () => removeEventListener('popstate', onPop)
}
