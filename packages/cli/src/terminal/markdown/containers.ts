import type { Container, Item } from './blocks.ts'

const MARKER = /^(?:[-*+]|(\d{1,9})([.)]))(?= |$)/

export function indentOf(line: string): number {
  let indent = 0
  while (line[indent] === ' ') indent++
  return indent
}

/** Three or more of one of `-`, `*`, `_`, and spaces. */
export function isRule(line: string): boolean {
  const marks = line.replaceAll(' ', '')
  return marks.length >= 3 && /^(?:-+|\*+|_+)$/.test(marks)
}

/** What is left of a line that goes on in the container, or undefined if the line is not in it. */
export function continueContainer(container: Container, line: string, isInCode: boolean): string | undefined {
  if (container.type === 'quote') return afterQuoteMark(line)
  const indent = indentOf(line)
  if (indent === line.length) return line.slice(container.offset)
  if (indent >= container.offset) return line.slice(container.offset)
  // Models often forget to indent code in a list; where it ends, its fence says.
  if (isInCode) return line.slice(indent)
  // Under `1. ` many indent lists by two, which by the book is not enough.
  if (indent < container.indent + 2 || !MARKER.test(line.slice(indent))) return undefined
  container.offset = indent
  return line.slice(indent)
}

function afterQuoteMark(line: string): string | undefined {
  const indent = indentOf(line)
  if (line[indent] !== '>') return undefined
  return line.slice(line[indent + 1] === ' ' ? indent + 2 : indent + 1)
}

interface OpenOptions {
  /** Whether the line would otherwise go on with a paragraph. */
  readonly isInterrupting: boolean
  /** What stood at this depth before. */
  readonly sibling: Container | undefined
}

/** The container that begins with this line, and what is left of the line. */
export function openContainer(line: string, options: OpenOptions): { container: Container; rest: string } | undefined {
  const quoted = afterQuoteMark(line)
  if (quoted !== undefined) return { container: { type: 'quote' }, rest: quoted }
  const indent = indentOf(line)
  const text = line.slice(indent)
  const match = MARKER.exec(text)
  if (match === null) return undefined
  const [marker, digits, delimiter] = match
  const after = text.slice(marker.length)
  const spaces = indentOf(after)
  const isEmpty = spaces === after.length
  // A year at the start of a line, or a lone dash, is no list.
  if (options.isInterrupting && (isEmpty || (digits !== undefined && Number(digits) !== 1))) return undefined
  const gap = isEmpty || spaces > 4 ? 1 : spaces
  const position = { type: 'item', indent, offset: indent + marker.length + gap } as const
  const rest = after.slice(gap)
  if (digits === undefined || delimiter === undefined) return { container: position, rest }
  const number = { written: Number(digits), shown: numberAfter(options.sibling, Number(digits)), delimiter }
  return { container: { ...position, number } satisfies Item, rest }
}

/** `1. 1. 1.` counts; any other numbers are meant. */
function numberAfter(sibling: Container | undefined, written: number): number {
  const before = sibling?.type === 'item' ? sibling.number : undefined
  return before?.written === written ? before.shown + 1 : written
}
