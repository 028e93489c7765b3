import type { EditorState } from './editor-state.ts'
import { layOut, type Row } from './layout.ts'

export function moveTo(state: EditorState, cursor: number): EditorState {
  if (cursor === state.cursor && state.goalColumn === undefined && state.doing === undefined) return state
  return { ...state, cursor, goalColumn: undefined, doing: undefined }
}

/** One row up (-1) or down (1); `undefined` when there is none. */
export function moveVertically(state: EditorState, step: -1 | 1, columns: number): EditorState | undefined {
  const layout = layOut(state.text, state.cursor, columns)
  const row = layout.rows[layout.cursorRow + step]
  if (row === undefined) return undefined
  const goalColumn = state.goalColumn ?? layout.cursorColumn
  return { ...state, cursor: offsetAt(row, goalColumn), goalColumn, doing: undefined }
}

function offsetAt(row: Row, goalColumn: number): number {
  let column = 0
  for (const cell of row.cells) {
    if (column + cell.columns > goalColumn) return cell.start
    column += cell.columns
  }
  // Behind its last character a wrapped row has no place: that offset is the start of the next one.
  return row.isWrapped ? (row.cells.at(-1)?.start ?? row.end) : row.end
}
