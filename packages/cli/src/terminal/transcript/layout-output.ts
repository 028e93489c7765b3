import { cleanLines } from '../markdown/clean-lines.ts'
import { highlight } from '../markdown/highlight.ts'
import type { StyledLine } from '../markdown/styled-line.ts'
import { fillRuns } from '../markdown/wrap-runs.ts'

export interface Output {
  readonly rows: readonly StyledLine[]
  /** Lines that are not shown, or not to their ends. */
  readonly left: number
}

const DIFF = /^(?:diff --git |--- [^\n]*\n\+\+\+ )/

/** What a difference looks like, whoever made it. */
export function isDiff(text: string): boolean {
  return DIFF.test(text)
}

/**
 * The beginning of what a tool printed, or a model thought: so many rows. The rest is counted, not laid out.
 * Every line is faint but those of a difference.
 */
export function layoutOutput(text: string, columns: number, maxRows: number): Output {
  const shown = cleanLines(text.slice(0, maxRows * columns * 4)).trimEnd()
  const isWhole = text.length <= maxRows * columns * 4
  const lines = shown.split('\n').slice(0, maxRows)
  const styled = isDiff(text) ? highlight(lines, 'diff') : lines.map((line) => [{ text: line, dim: true }])
  const rows: StyledLine[] = []
  let done = 0
  for (const line of styled) {
    const broken = fillRuns(line, columns)
    const room = maxRows - rows.length
    rows.push(...broken.slice(0, room))
    if (broken.length > room) break
    done++
    if (rows.length >= maxRows) break
  }
  return { rows, left: isWhole && done === countLines(shown) ? 0 : countLines(text.trimEnd()) - done }
}

function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
