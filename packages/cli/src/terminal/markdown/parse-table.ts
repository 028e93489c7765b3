export type Alignment = 'left' | 'center' | 'right'

export interface Table {
  readonly type: 'table'
  readonly alignments: readonly Alignment[]
  /** The first is the heading. A row has at most `MAX_CELLS` cells and may have fewer than the others. */
  readonly rows: (readonly string[])[]
}

const MAX_CELLS = 40

/** Whether this is the line under a table's heading, perhaps not yet written to its end. */
export function isDelimiterRow(line: string): boolean {
  return line.includes('|') && line.includes('-') && /^[-|: ]+$/.test(line)
}

export function startTable(header: string, delimiters: string): Table {
  return { type: 'table', alignments: splitRow(delimiters).map(alignmentOf), rows: [splitRow(header)] }
}

function alignmentOf(cell: string): Alignment {
  if (!cell.endsWith(':')) return 'left'
  return cell.startsWith(':') ? 'center' : 'right'
}

/** The cells of a row. What exceeds the limit stays in the last one, so that nothing is lost. */
export function splitRow(line: string): readonly string[] {
  const row = line.trim()
  const cells: string[] = []
  let start = row.startsWith('|') ? 1 : 0
  for (let at = start; at < row.length && cells.length < MAX_CELLS - 1; at++) {
    if (row[at] === '\\') at++
    else if (row[at] === '|') {
      cells.push(cellOf(row.slice(start, at)))
      start = at + 1
    }
  }
  if (start < row.length || cells.length === 0) cells.push(cellOf(row.slice(start)))
  return cells
}

function cellOf(text: string): string {
  return text.trim().replaceAll('\\|', '|')
}
