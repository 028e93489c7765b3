import type { Row } from './layout.ts'

// Written by hand because Ink leaves `inverse` out where it sees no colours, and the cursor must be seen there too.
const INVERSE = '\u001b[7m'
const NOT_INVERSE = '\u001b[27m'

/** A row as the terminal gets it, with a block on the character at the cursor, or behind the last one. */
export function drawRow(row: Row, cursor: number | undefined): string {
  const at = cursor === undefined ? -1 : row.cells.findIndex(({ start }) => start === cursor)
  const under = row.cells[at]?.text ?? ' '
  // A tab is several spaces, and the block is on the first.
  const block = /^ +$/.test(under) ? ' ' : under
  const before = textOf(row.cells.slice(0, at === -1 ? undefined : at))
  if (cursor === undefined) return before
  const after = at === -1 ? '' : under.slice(block.length) + textOf(row.cells.slice(at + 1))
  return `${before}${INVERSE}${block}${NOT_INVERSE}${after}`
}

function textOf(cells: Row['cells']): string {
  return cells.map(({ text }) => text).join('')
}
