import { plainText } from '@treeline/core'

/** What is being written. */
export interface EditorState {
  /** Only what can be shown: lines end in line feeds, tabs are the only other control characters. */
  readonly text: string
  /** A UTF-16 offset, always between two characters as a person sees them. */
  readonly cursor: number
  /** The column that ↑ and ↓ aim for, kept over shorter lines. */
  readonly goalColumn: number | undefined
  /** What Ctrl+Y puts back. */
  readonly killed: string
  /** What undo goes back to, the latest last. */
  readonly past: readonly Moment[]
  /** What was just done, if more of the same belongs to it: a typed word is undone at once. */
  readonly doing: Doing | undefined
}

export interface Moment {
  readonly text: string
  readonly cursor: number
}

export type Doing = 'typing' | 'erasing' | 'killing'

export const emptyEditor: EditorState = {
  text: '',
  cursor: 0,
  goalColumn: undefined,
  killed: '',
  past: [],
  doing: undefined,
}

/** An editor that holds a text, sanitised so that what is sent is what was seen, with the cursor behind it. */
export function editorWith(text: string): EditorState {
  const shown = plainText(text)
  return { ...emptyEditor, text: shown, cursor: shown.length }
}
