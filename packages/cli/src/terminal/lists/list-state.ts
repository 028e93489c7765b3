/** Where somebody is in a list of any length. Rows are numbers: whoever shows them makes only those in sight. */
export interface ListState {
  readonly cursor: number
  /** The first row in sight. */
  readonly top: number
}

export type ListMove = 'up' | 'down' | 'pageUp' | 'pageDown' | 'first' | 'last'

export const START: ListState = { cursor: 0, top: 0 }

/** One key further; stops at both ends. */
export function moveList(state: ListState, move: ListMove, length: number, rows: number): ListState {
  return goTo(state, target(state.cursor, move, length, Math.max(1, rows)), length, rows)
}

function target(cursor: number, move: ListMove, length: number, rows: number): number {
  switch (move) {
    case 'up':
      return cursor - 1
    case 'down':
      return cursor + 1
    case 'pageUp':
      return cursor - rows
    case 'pageDown':
      return cursor + rows
    case 'first':
      return 0
    case 'last':
      return length - 1
  }
}

/** Puts the cursor on a row and scrolls no more than needed. Also mends a state after the list or the window changed. */
export function goTo(state: ListState, row: number, length: number, rows: number): ListState {
  const height = Math.max(1, rows)
  const cursor = Math.max(0, Math.min(row, length - 1))
  const lowest = Math.max(0, Math.min(cursor, length - height))
  const top = Math.max(cursor - height + 1, Math.min(state.top, lowest))
  return { cursor, top: Math.max(0, top) }
}

/** The rows in sight, as numbers. */
export function rowsInSight({ top }: ListState, length: number, rows: number): readonly number[] {
  const count = Math.max(0, Math.min(Math.max(1, rows), length - top))
  return Array.from({ length: count }, (_, i) => top + i)
}
