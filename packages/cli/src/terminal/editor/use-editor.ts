import { useRef, useState } from 'react'
import { type EditorState, emptyEditor } from './editor-state.ts'

type Change = EditorState | ((state: EditorState) => EditorState)
export interface SetEditor {
  (change: Change): void
  /** As of the last change, drawn or not: several keys may come at once. */
  readonly latest: () => EditorState
}

/** What is typed, as it is drawn, and how it is changed. */
export function useEditor(): [EditorState, SetEditor] {
  const [drawn, draw] = useState<EditorState>(emptyEditor)
  const latest = useRef<EditorState>(emptyEditor)
  const [set] = useState((): SetEditor => {
    const change = (given: Change): void => {
      latest.current = typeof given === 'function' ? given(latest.current) : given
      draw(latest.current)
    }
    return Object.assign(change, { latest: () => latest.current })
  })
  return [drawn, set]
}
