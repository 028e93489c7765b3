import { previewColumns } from '@treeline/core'

/** The signs of the lists. Those of the rows take the same columns in both sets. */
export interface Glyphs {
  readonly cursor: string
  readonly trunk: string
  readonly other: string
  readonly stashed: string
  readonly folded: string
  readonly through: string
  readonly branch: string
  readonly lastBranch: string
  readonly cut: string
  readonly between: string
  readonly upDown: string
  readonly leftRight: string
}

const UNICODE: Glyphs = {
  cursor: '› ',
  trunk: '●',
  other: '○',
  stashed: '◌',
  folded: '▸',
  through: '│ ',
  branch: '├─',
  lastBranch: '└─',
  cut: '⋯ ',
  between: ' · ',
  upDown: '↑↓',
  leftRight: '←→',
}
const ASCII: Glyphs = {
  cursor: '> ',
  trunk: '*',
  other: 'o',
  stashed: 'x',
  folded: '+',
  through: '| ',
  branch: '|-',
  lastBranch: '`-',
  cut: '< ',
  between: ' - ',
  upDown: 'Up/Down',
  leftRight: 'Left/Right',
}

export function glyphsFor(isUnicode: boolean): Glyphs {
  return isUnicode ? UNICODE : ASCII
}

/** One plain line of at most so many columns; the sign for what was cut is one that the terminal can show. */
export function fitLine(text: string, columns: number, isUnicode: boolean): string {
  const line = previewColumns(text, columns)
  return isUnicode ? line : line.replaceAll('…', '~')
}
