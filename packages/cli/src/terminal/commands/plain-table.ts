import { previewColumns } from '@treeline/core'
import { isUnicodeIn, t } from '../../output/language.ts'
import { unpaint } from '../../output/style.ts'
import { type Column, table, widthOf } from '../../output/table.ts'
import type { ChatActions } from '../chat-actions.ts'
import { wrapText } from '../wrap-text.ts'

/** Many terminals break a line that is as wide as they are. */
const MARGIN = 1
const GAP = '  '
const INDENT = '    '
/** With less room for its text a table tells nothing; each row is then two lines or more. */
const MIN_TEXT_COLUMNS = 24
const MAX_TEXT_LINES = 3
const MAX_CELL_COLUMNS = 400

/** How wide a line of an answer may be. */
export function answerWidth({ context }: ChatActions): number {
  return context.out.columns - MARGIN
}

/** Rows of one plain line each, as one text; where the terminal is too narrow for that, with the long cell below the others. */
export function plainTable(
  actions: ChatActions,
  columns: readonly Column[],
  given: readonly (readonly string[])[],
): string {
  const width = answerWidth(actions)
  // What is measured is plain and short, whatever a cell holds (K4).
  const rows = given.map((row) => row.map((cell) => previewColumns(unpaint(cell), MAX_CELL_COLUMNS)))
  const flexible = columns.findIndex((column) => column.flexible)
  const room = width - fixedWidth(columns, rows, flexible)
  const needed = Math.max(0, ...rows.map((row) => widthOf(row[flexible] ?? '')))
  if (flexible < 0 || room >= Math.min(MIN_TEXT_COLUMNS, needed)) return plain(actions, table(columns, rows, width))
  return plain(
    actions,
    rows.flatMap((row) => [...stacked(row, flexible, width)]),
  )
}

/** Lines that were made for the command line, without their colours, and no wider in a terminal that knows only ASCII. */
export function plain({ context }: ChatActions, lines: Iterable<string>): string {
  const text = Array.from(lines, unpaint).join('\n')
  return isUnicodeIn(context.env) ? text : text.replaceAll('…', '~')
}

function fixedWidth(columns: readonly Column[], rows: readonly (readonly string[])[], flexible: number): number {
  const widths = columns.map(({ title }, i) =>
    i === flexible ? 0 : Math.max(widthOf(title), ...rows.map((row) => widthOf(row[i] ?? ''))),
  )
  return widths.reduce((sum, size) => sum + size + GAP.length, -GAP.length)
}

function* stacked(row: readonly string[], flexible: number, width: number): Generator<string> {
  const others = row.filter((cell, i) => i !== flexible && cell !== '')
  const [mark, ...behind] = others[0] === '*' ? others : ['', ...others]
  yield previewColumns(`${mark} ${behind.join(t(' · '))}`.trimStart(), width)
  const room = width - INDENT.length
  const text = previewColumns(row[flexible] ?? '', room * MAX_TEXT_LINES)
  if (text === '') return
  const lines = wrapText(text, room).split('\n').slice(0, MAX_TEXT_LINES)
  for (const line of lines) yield `${INDENT}${previewColumns(line, room)}`
}
