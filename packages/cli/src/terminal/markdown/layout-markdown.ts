import type { Block, Leaf } from './blocks.ts'
import { cleanLines } from './clean-lines.ts'
import { highlight } from './highlight.ts'
import { layoutTable } from './layout-table.ts'
import { parseInline } from './parse-inline.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { prefixer } from './prefixes.ts'
import type { StyledLine } from './styled-line.ts'
import { fillRuns, wrapRuns } from './wrap-runs.ts'

export interface LayoutOptions {
  readonly isUnicode: boolean
}

const CODE_INDENT = 2
const MAX_RULE = 40

/**
 * The text of a model as rows of at most so many columns, made safe to show (K4). Good for text that is still being
 * written, and for any other: it never throws and takes time in proportion to the text.
 */
export function layoutMarkdown(text: string, columns: number, options: LayoutOptions): readonly StyledLine[] {
  const width = Math.max(1, Math.floor(columns) || 1)
  const lines: StyledLine[] = []
  const prefix = prefixer(width, options.isUnicode)
  let before: Block | undefined
  for (const block of parseMarkdown(cleanLines(text))) {
    if (before !== undefined && needsGap(before, block)) lines.push(prefix.between(before, block))
    const { first, others, room, inline } = prefix.of(block)
    layoutLeaf(block.leaf, room, options, inline).forEach((line, index) => {
      lines.push([...(index === 0 ? first : others), ...line])
    })
    before = block
  }
  return lines
}

function needsGap(before: Block, block: Block): boolean {
  const standsApart = (type: Leaf['type']) => type === 'code' || type === 'table' || type === 'rule'
  return block.hasGap || block.leaf.type === 'heading' || standsApart(before.leaf.type) || standsApart(block.leaf.type)
}

/** `start` is what did not fit before the text. */
function layoutLeaf(leaf: Leaf, room: number, options: LayoutOptions, start: StyledLine): readonly StyledLine[] {
  switch (leaf.type) {
    case 'paragraph':
      return wrapRuns([...start, ...parseInline(leaf.lines.join('\n'))], room)
    case 'heading': {
      const style = leaf.level === 1 ? { bold: true, underline: true } : { bold: true }
      return wrapRuns([...start, ...parseInline(leaf.text).map((run) => ({ ...run, ...style }))], room)
    }
    case 'code':
      return [...startRows(start, room), ...layoutCode(leaf.lines, leaf.language, room, options)]
    case 'rule':
      return [
        ...startRows(start, room),
        [{ text: (options.isUnicode ? '─' : '-').repeat(Math.min(room, MAX_RULE)), dim: true }],
      ]
    case 'table':
      return [...startRows(start, room), ...layoutTable(leaf, room, options.isUnicode)]
  }
}

function startRows(start: StyledLine, room: number): readonly StyledLine[] {
  return start.length === 0 ? [] : wrapRuns(start, room)
}

/** Indented and not framed, so that it can be copied. In the margin a mark says which rows go on with the one above. */
function layoutCode(
  code: readonly string[],
  language: string,
  room: number,
  { isUnicode }: LayoutOptions,
): readonly StyledLine[] {
  const indent = room > CODE_INDENT * 2 ? CODE_INDENT : 0
  const margin = indent === 0 ? [] : [{ text: ' '.repeat(indent) }]
  const mark = indent === 0 ? [] : [{ text: isUnicode ? '↳ ' : '> ', dim: true }]
  const label = `${isUnicode ? '──' : '--'} ${language}`
  const rows = highlight(code, language).flatMap((line) =>
    fillRuns(line, room - indent).map((row, index) => {
      if (index > 0) return [...mark, ...row]
      return row.length === 0 ? [] : [...margin, ...row]
    }),
  )
  return language === '' ? rows : [...fillRuns([{ text: label, dim: true }], room), ...rows]
}
