import { columnsOf, graphemesOf, previewColumns } from '@treeline/core'
import { paint, type Style, unpaint } from './style.ts'

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  readonly style?: Style
  /** The one that gives way when the terminal is narrow; it is cut with `…`. */
  readonly flexible?: true
  /** One that is left out where the terminal is too narrow for all of them: the highest number first. */
  readonly spare?: number
}

const GAP = '  '
const MIN_FLEXIBLE = 12

/**
 * Rows of one line each, no wider than the terminal, as long as those columns fit that have to be there. Cells may hold
 * anything; they are shown as one plain line.
 */
export function* table(
  given: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): Generator<string> {
  const plain = rows.map((row) => row.map((cell) => previewColumns(unpaint(cell), 400)))
  const needed = given.map(({ title }, i) => Math.max(...[title, ...plain.map((row) => row[i] ?? '')].map(widthOf)))
  const kept = keepColumns(given, needed, width)
  const columns = kept.map((i) => given[i]!)
  const cells = plain.map((row) => kept.map((i) => row[i] ?? ''))
  const widths = kept.map((i) => needed[i]!)
  const flexible = columns.findIndex((column) => column.flexible)
  if (flexible >= 0) {
    const room = width - (totalWidth(widths) - widths[flexible]!)
    widths[flexible] = Math.min(widths[flexible]!, Math.max(MIN_FLEXIBLE, room))
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

/** The places of the columns that are shown. */
function keepColumns(columns: readonly Column[], needed: readonly number[], width: number): readonly number[] {
  const least = needed.map((size, i) => (columns[i]!.flexible ? Math.min(size, MIN_FLEXIBLE) : size))
  const spare = [...columns.keys()].filter((i) => columns[i]!.spare !== undefined)
  const order = spare.toSorted((a, b) => columns[b]!.spare! - columns[a]!.spare!)
  let kept: readonly number[] = [...columns.keys()]
  for (const i of order) {
    if (totalWidth(kept.map((k) => least[k]!)) <= width) break
    kept = kept.filter((k) => k !== i)
  }
  return kept
}

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, size) => sum + size, GAP.length * (widths.length - 1))
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
