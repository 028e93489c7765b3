import { widthOf } from '../../output/table.ts'

/** Short texts side by side, as many as fit into a line. */
export function hintLine(hints: readonly string[], between: string, columns: number): string {
  let line = hints[0] ?? ''
  for (const hint of hints.slice(1)) {
    const longer = `${line}${between}${hint}`
    if (widthOf(longer) > columns) break
    line = longer
  }
  return line
}
