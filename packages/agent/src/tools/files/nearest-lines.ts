const CONTEXT_LINES = 2
const MAX_LINES = 20_000
const MAX_CHARS = 200
/** Of what is sought; the work grows with it. */
const MAX_WANTED_LINES = 200
/** Less alike than this is not worth showing. */
const MIN_LIKENESS = 0.5

/** A sentence with the lines of a text that are most like the one sought, to learn from; empty when none is. */
export function describeNearest(text: string, wanted: string): string {
  const lines = text.split('\n', MAX_LINES)
  const sought = wanted.split('\n', MAX_WANTED_LINES)
  const loose = findLoosely(lines, sought)
  if (loose >= 0) return ` With other blanks it is there:\n${show(lines, loose, sought.length)}`
  const line = longestLine(wanted)
  const pairs = pairsOf(line)
  let best = -1
  let likeness = MIN_LIKENESS
  for (const [i, candidate] of lines.entries()) {
    const found = likenessOf(pairs, candidate)
    if (found > likeness) {
      best = i
      likeness = found
    }
  }
  return best < 0 ? '' : ` The nearest lines are:\n${show(lines, best, 1)}`
}

/** Where the lines stand if blanks at their ends and runs of them do not count; -1 for nowhere. */
function findLoosely(given: readonly string[], wanted: readonly string[]): number {
  const lines = given.map(squeeze)
  const sought = wanted.map(squeeze)
  if (sought.every((line) => line === '')) return -1
  const first = sought.findIndex((line) => line !== '')
  for (let i = first; i < lines.length; i++) {
    if (lines[i] !== sought[first]) continue
    const start = i - first
    if (sought.every((line, j) => (lines[start + j] ?? '') === line)) return start
  }
  return -1
}

function squeeze(line: string): string {
  return line.slice(0, MAX_CHARS).trim().replace(/\s+/g, ' ')
}

function show(lines: readonly string[], at: number, count: number): string {
  const from = Math.max(0, at - CONTEXT_LINES)
  const shown = lines.slice(from, at + Math.min(count, 20) + CONTEXT_LINES)
  return shown.map((line, i) => `${from + i + 1}: ${line.slice(0, MAX_CHARS)}`).join('\n')
}

function longestLine(text: string): string {
  let longest = ''
  for (const line of text.split('\n', 200)) if (line.trim().length > longest.length) longest = line.trim()
  return longest.slice(0, MAX_CHARS)
}

/** How much two lines have in common, 0 to 1, by pairs of characters (Dice). */
function likenessOf(pairs: ReadonlyMap<string, number>, candidate: string): number {
  const line = candidate.slice(0, MAX_CHARS).trim()
  const total = sumOf(pairs) + Math.max(0, line.length - 1)
  if (total === 0) return 0
  const left = new Map(pairs)
  let common = 0
  for (let i = 0; i < line.length - 1; i++) {
    const pair = line.slice(i, i + 2)
    const count = left.get(pair) ?? 0
    if (count === 0) continue
    left.set(pair, count - 1)
    common++
  }
  return (2 * common) / total
}

function pairsOf(line: string): Map<string, number> {
  const pairs = new Map<string, number>()
  for (let i = 0; i < line.length - 1; i++) {
    const pair = line.slice(i, i + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  return pairs
}

function sumOf(pairs: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const count of pairs.values()) sum += count
  return sum
}
