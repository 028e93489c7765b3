import { columnsOf, graphemesOf, previewColumns } from '@treeline/core'
import { paint, type Style, unpaint } from './style.ts'

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  readonly style?: Style
  /** The one that gives way when the terminal is narrow; it is cut with `…`. */
  readonly flexible?: true
}

const GAP = '  '
const MIN_FLEXIBLE = 12

/** Rows of one line each, no wider than the terminal. Cells may hold anything; they are shown as one plain line. */
export function* table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): Generator<string> {
  const cells = rows.map((row) => row.map((cell) => previewColumns(unpaint(cell), 400)))
  const widths = columns.map(({ title }, i) => Math.max(...[title, ...cells.map((row) => row[i] ?? '')].map(widthOf)))
  const flexible = columns.findIndex((column) => column.flexible)
  if (flexible >= 0) {
    const others =
      widths.reduce((sum, size, i) => sum + (i === flexible ? 0 : size), 0) + GAP.length * (columns.length - 1)
    widths[flexible] = Math.max(MIN_FLEXIBLE, Math.min(widths[flexible]!, width - others))
  }
  yield line(
    columns.map(({ title }, i) => paint('faint', fit(title, widths[i]!, columns[i]!, i === columns.length - 1))),
  )
  for (const row of cells) {
    yield line(
      columns.map((column, i) => {
        const text = fit(row[i] ?? '', widths[i]!, column, i === columns.length - 1)
        return column.style === undefined ? text : paint(column.style, text)
      }),
    )
  }
}

function line(cells: readonly string[]): string {
  return cells.join(GAP).trimEnd()
}

function fit(text: string, width: number, { align = 'left' }: Column, isLast: boolean): string {
  const shown = previewColumns(text, width)
  const space = ' '.repeat(Math.max(0, width - widthOf(shown)))
  if (align === 'right') return space + shown
  return isLast ? shown : shown + space
}

/** Columns of a terminal that a plain line takes. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const grapheme of graphemesOf(text)) width += columnsOf(grapheme)
  return width
}
