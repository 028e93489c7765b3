import { type DiffRun, diffLines } from './line-diff.ts'

const CONTEXT_LINES = 3
const SIGNS = { same: ' ', removed: '-', added: '+' } as const
const NO_LINE_END = '\\ No newline at end of file'

interface Hunk {
  oldStart: number
  newStart: number
  oldCount: number
  newCount: number
  readonly lines: string[]
}

/** The difference of two texts as `diff -u` tells it; empty when there is none. */
export function unifiedDiff(name: string, before: string, after: string): string {
  const hunks = makeHunks(diffLines(splitLines(before), splitLines(after)))
  if (hunks.length === 0) return ''
  const lines = hunks.flatMap((hunk) => [
    `@@ -${range(hunk.oldStart, hunk.oldCount)} +${range(hunk.newStart, hunk.newCount)} @@`,
    ...hunk.lines,
  ])
  return [`--- ${before === '' ? '/dev/null' : `a/${name}`}`, `+++ b/${name}`, ...lines].join('\n')
}

/** Each with its line end, so that one that lacks it differs from one that has it. */
function splitLines(text: string): string[] {
  const lines: string[] = []
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at)
    const end = next < 0 ? text.length : next + 1
    lines.push(text.slice(at, end))
    at = end
  }
  return lines
}

function makeHunks(runs: readonly DiffRun[]): Hunk[] {
  const hunks: Hunk[] = []
  let open: Hunk | undefined
  let oldLine = 1
  let newLine = 1
  for (const [i, { type, lines }] of runs.entries()) {
    if (type !== 'same') {
      if (open === undefined) {
        open = { oldStart: oldLine, newStart: newLine, oldCount: 0, newCount: 0, lines: [] }
        hunks.push(open)
      }
      put(open, type, lines)
    } else {
      const isLast = i === runs.length - 1
      if (open !== undefined) {
        const isBridge = !isLast && lines.length <= 2 * CONTEXT_LINES
        put(open, type, isBridge ? lines : lines.slice(0, CONTEXT_LINES))
        if (!isBridge) open = undefined
      }
      if (open === undefined && !isLast) {
        const before = lines.slice(-CONTEXT_LINES)
        const back = before.length - lines.length
        open = { oldStart: oldLine - back, newStart: newLine - back, oldCount: 0, newCount: 0, lines: [] }
        hunks.push(open)
        put(open, type, before)
      }
    }
    if (type !== 'added') oldLine += lines.length
    if (type !== 'removed') newLine += lines.length
  }
  return hunks
}

function put(hunk: Hunk, type: DiffRun['type'], lines: readonly string[]): void {
  if (type !== 'added') hunk.oldCount += lines.length
  if (type !== 'removed') hunk.newCount += lines.length
  for (const line of lines) {
    const hasEnd = line.endsWith('\n')
    hunk.lines.push(SIGNS[type] + (hasEnd ? line.slice(0, -1) : line))
    if (!hasEnd) hunk.lines.push(NO_LINE_END)
  }
}

function range(start: number, count: number): string {
  if (count === 1) return `${start}`
  // By convention an empty range names the line before it.
  return `${count === 0 ? start - 1 : start},${count}`
}
