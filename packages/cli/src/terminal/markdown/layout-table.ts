import { parseInline } from './parse-inline.ts'
import type { Alignment, Table } from './parse-table.ts'
import type { StyledLine, StyledRun } from './styled-line.ts'
import { widthOf, wrapRuns } from './wrap-runs.ts'

interface Cell {
  readonly runs: readonly StyledRun[]
  readonly width: number
}

const GAP = 3
/** Narrower columns are not read but deciphered. */
const MIN_COLUMN = 5

/** A table with its cells wrapped; where there is no room for its columns, a line for each cell under its heading. */
export function layoutTable(table: Table, columns: number, isUnicode: boolean): readonly StyledLine[] {
  const rows = table.rows.map((row, index) => row.map((cell) => cellOf(cell, index === 0)))
  const natural: number[] = []
  for (const row of rows) {
    row.forEach((cell, index) => {
      natural[index] = Math.max(natural[index] ?? 1, cell.width)
    })
  }
  const room = columns - GAP * (natural.length - 1)
  if (room < natural.reduce((sum, width) => sum + Math.min(width, MIN_COLUMN), 0)) return asRecords(rows, columns)
  const widths = fit(natural, room)
  const [header = [], ...body] = rows
  const bar = isUnicode ? ' │ ' : ' | '
  const rule = widths.map((width) => (isUnicode ? '─' : '-').repeat(width)).join(isUnicode ? '─┼─' : '-+-')
  const layoutOne = (row: readonly Cell[]) => layoutRow(row, { widths, alignments: table.alignments, bar })
  return [...layoutOne(header), [{ text: rule, dim: true }], ...body.flatMap(layoutOne)]
}

function cellOf(text: string, isHeader: boolean): Cell {
  const runs = parseInline(text)
  const width = runs.reduce((sum, run) => sum + widthOf(run.text), 0)
  return { runs: isHeader ? runs.map((run) => ({ ...run, bold: true })) : runs, width }
}

/** Only the widest give way: the highest common limit with which all fit. */
function fit(natural: readonly number[], room: number): readonly number[] {
  let limit = Math.max(...natural)
  const total = () => natural.reduce((sum, width) => sum + Math.min(width, limit), 0)
  if (total() > room) limit = Math.min(limit, room)
  while (total() > room) limit--
  return natural.map((width) => Math.min(width, limit))
}

interface RowOptions {
  readonly widths: readonly number[]
  readonly alignments: readonly Alignment[]
  readonly bar: string
}

function layoutRow(row: readonly Cell[], { widths, alignments, bar }: RowOptions): readonly StyledLine[] {
  const cells = row.map((cell, index) => wrapRuns(cell.runs, widths[index]!))
  const height = cells.reduce((most, cell) => Math.max(most, cell.length), 1)
  return Array.from({ length: height }, (_, line) =>
    cells.flatMap((cell, index) => {
      const runs = cell[line] ?? []
      const spare = widths[index]! - runs.reduce((sum, run) => sum + widthOf(run.text), 0)
      const before = spaceBefore(alignments[index], spare)
      const after = index === cells.length - 1 ? 0 : spare - before
      const separator = index === 0 ? [] : [{ text: bar, dim: true }]
      return [...separator, ...spaces(before), ...runs, ...spaces(after)]
    }),
  )
}

function spaceBefore(alignment: Alignment | undefined, spare: number): number {
  if (alignment === 'right') return spare
  return alignment === 'center' ? Math.floor(spare / 2) : 0
}

function spaces(count: number): StyledLine {
  return count > 0 ? [{ text: ' '.repeat(count) }] : []
}

function asRecords(rows: readonly (readonly Cell[])[], columns: number): readonly StyledLine[] {
  const [header = [], ...body] = rows
  if (body.length === 0) return header.flatMap((cell) => wrapRuns(cell.runs, columns))
  return body.flatMap((row, index) => [
    ...(index === 0 ? [] : [[]]),
    ...row.flatMap((cell, column) => {
      const name = header[column]
      const label = name === undefined || name.width === 0 ? [] : [...name.runs, { text: ': ', bold: true }]
      return wrapRuns([...label, ...cell.runs], columns)
    }),
  ])
}
