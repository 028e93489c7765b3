/** A line that both texts have, or only the first (`-`) or the second (`+`). */
export interface DiffLine {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
}

/** Lines compared with each other; of longer texts what differs is shown as it stands, one after the other. */
const MAX_LINES = 600

/** What to take from a text and put into it to get the other, line by line. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = before.split('\n')
  const b = after.split('\n')
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  return [
    ...marked(' ', a.slice(0, start)),
    ...diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...marked(' ', a.slice(a.length - end)),
  ]
}

function diffMiddle(a: readonly string[], b: readonly string[]): DiffLine[] {
  if (a.length > MAX_LINES || b.length > MAX_LINES) return [...marked('-', a), ...marked('+', b)]
  const common = commonLengths(a, b)
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ mark: ' ', text: a[i++]! })
      j++
    } else if (j >= b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)) {
      lines.push({ mark: '-', text: a[i++]! })
    } else lines.push({ mark: '+', text: b[j++]! })
  }
  return lines
}

/** How many lines, in order, the texts have in common from line i and line j on. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
    }
  }
  return common
}

function marked(mark: DiffLine['mark'], lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ mark, text }))
}

/** Lines that differ with a few of those around them; `undefined` stands for what is left out between. */
export function aroundChanges(lines: readonly DiffLine[], around = 3): (DiffLine | undefined)[] {
  const near = new Uint8Array(lines.length)
  for (const [i, { mark }] of lines.entries()) {
    if (mark !== ' ') near.fill(1, Math.max(0, i - around), i + around + 1)
  }
  const shown: (DiffLine | undefined)[] = []
  for (const [i, line] of lines.entries()) {
    if (near[i] === 1) shown.push(line)
    else if (shown.length === 0 || shown.at(-1) !== undefined) shown.push(undefined)
  }
  return shown
}
