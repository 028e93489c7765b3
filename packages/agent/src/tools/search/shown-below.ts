import { visibleLine } from '../visible-text.ts'

/** A path below the folder that was searched, as a call of another tool can name it. */
export function shownBelow(start: string, names: readonly string[]): string {
  const below = visibleLine(names.join('/'))
  if (below === '') return start
  if (start === '.') return below
  return start.endsWith('/') ? start + below : `${start}/${below}`
}
