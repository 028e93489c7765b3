import { widthOf, wrapRuns } from './markdown/wrap-runs.ts'

/** A text of ours in lines that fit. Chinese has no spaces to break at, and a table keeps its blanks: lines that fit stay as they are. */
export function wrapText(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) => (widthOf(line) <= columns ? [line] : wrapLine(line, columns)))
    .join('\n')
}

function wrapLine(line: string, columns: number): readonly string[] {
  const [indent = ''] = /^ */.exec(line) ?? []
  const margin = indent.length < columns / 2 ? indent : ''
  return wrapRuns([{ text: line }], columns - margin.length).map(
    (runs) => `${margin}${runs.map((run) => run.text).join('')}`,
  )
}
