import { type Cell, cellsOf, standIn, TAB } from './cells.ts'

export interface Row {
  readonly cells: readonly Cell[]
  /** Offsets in the text, without the line feed. */
  readonly start: number
  readonly end: number
  /** The next row goes on with the same line. */
  readonly isWrapped: boolean
}

export interface Layout {
  readonly rows: readonly Row[]
  readonly cursorRow: number
  readonly cursorColumn: number
}

export interface Window {
  /** The first row that is seen, and the one behind the last. */
  readonly from: number
  readonly to: number
}

const TAB_COLUMNS = 4

/**
 * Wraps a text at spaces, or where the row is full. The last column stays free for a cursor behind the last character, so
 * that rows do not change when only the cursor moves. Fewer than two columns are taken for two.
 */
export function layOut(text: string, cursor: number, columns: number): Layout {
  const width = Math.max(1, columns - 1)
  const rows: Row[] = []
  let line: Cell[] = []
  for (const cell of cellsOf(text)) {
    if (cell.isLineEnd) {
      for (const row of wrapLine(line, cell.start, width)) rows.push(row)
      line = []
    } else line.push(cell)
  }
  for (const row of wrapLine(line, text.length, width)) rows.push(row)
  const cursorRow = rows.findLastIndex(({ start }) => start <= cursor)
  const before = rows[cursorRow]?.cells.filter(({ start }) => start < cursor) ?? []
  return { rows, cursorRow, cursorColumn: before.reduce((sum, cell) => sum + cell.columns, 0) }
}

/** The rows that are seen when there is room for only so many: those around the cursor. */
export function windowOf({ rows, cursorRow }: Layout, maxRows: number): Window {
  const size = Math.min(rows.length, Math.max(1, maxRows))
  const from = Math.max(0, Math.min(cursorRow - Math.floor(size / 2), rows.length - size))
  return { from, to: from + size }
}

function* wrapLine(cells: readonly Cell[], end: number, width: number): Generator<Row> {
  const row: Cell[] = []
  let used = 0
  /** How many cells of the row stay when the word behind them does not fit. */
  let breakAt = 0
  for (const raw of cells) {
    let cell = fit(raw, used, width)
    if (used + cell.columns > width) {
      const kept = row.splice(0, breakAt === 0 || mayBreakAt(raw) ? row.length : breakAt)
      const next = row[0]?.start ?? raw.start
      yield { cells: kept, start: kept[0]?.start ?? next, end: next, isWrapped: true }
      used = row.reduce((sum, { columns }) => sum + columns, 0)
      breakAt = 0
      cell = fit(raw, used, width)
    }
    row.push(cell)
    used += cell.columns
    if (mayBreakAt(raw)) breakAt = row.length
  }
  yield { cells: row, start: row[0]?.start ?? end, end, isWrapped: false }
}

/** Spaces, and the scripts that are written without them. */
function mayBreakAt(cell: Cell): boolean {
  return cell.columns === 2 || /^\s/.test(cell.text)
}

function fit(cell: Cell, used: number, width: number): Cell {
  if (cell.text === TAB) {
    const columns = Math.max(1, Math.min(TAB_COLUMNS - (used % TAB_COLUMNS), width - used))
    return { ...cell, text: ' '.repeat(columns), columns }
  }
  return cell.columns > width ? standIn(cell.start) : cell
}
