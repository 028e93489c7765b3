import { useReducer } from 'react'

/** For what is kept outside of React: says that it has changed. */
export function useRepaint(): () => void {
  const [, repaint] = useReducer((count: number) => count + 1, 0)
  return repaint
}
