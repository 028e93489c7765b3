/** A run of lines that both have, or that only one of them has. */
export interface DiffRun {
  readonly type: 'same' | 'removed' | 'added'
  readonly lines: readonly string[]
}

/** The work grows with the square of this. Texts that differ more are told apart as a whole. */
const MAX_CHANGES = 600

/** What turns one list of lines into another, in few steps (Myers). */
export function diffLines(before: readonly string[], after: readonly string[]): DiffRun[] {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head++
  let tail = 0
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const old = before.slice(head, before.length - tail)
  const fresh = after.slice(head, after.length - tail)
  const runs: DiffRun[] = [
    { type: 'same', lines: before.slice(0, head) },
    ...(findSteps(old, fresh) ?? [
      { type: 'removed', lines: old },
      { type: 'added', lines: fresh },
    ]),
    { type: 'same', lines: before.slice(before.length - tail) },
  ]
  return runs.filter(({ lines }) => lines.length > 0)
}

/** `undefined` when it takes too many. */
function findSteps(old: readonly string[], fresh: readonly string[]): DiffRun[] | undefined {
  const most = Math.min(old.length + fresh.length, MAX_CHANGES)
  const furthest = new Int32Array(2 * most + 3)
  const middle = most + 1
  const trace: Int32Array[] = []
  for (let changes = 0; changes <= most; changes++) {
    trace.push(furthest.slice(middle - changes - 1, middle + changes + 2))
    for (let k = -changes; k <= changes; k += 2) {
      let x = isDown(furthest, middle + k, k, changes) ? furthest[middle + k + 1]! : furthest[middle + k - 1]! + 1
      while (x < old.length && x - k < fresh.length && old[x] === fresh[x - k]) x++
      furthest[middle + k] = x
      if (x >= old.length && x - k >= fresh.length) return walkBack(old, fresh, trace)
    }
  }
  return undefined
}

/** Whether the step that leads to this diagonal is an added line. */
function isDown(furthest: Int32Array, at: number, k: number, changes: number): boolean {
  return k === -changes || (k !== changes && furthest[at - 1]! < furthest[at + 1]!)
}

function walkBack(old: readonly string[], fresh: readonly string[], trace: readonly Int32Array[]): DiffRun[] {
  const runs: { type: DiffRun['type']; lines: string[] }[] = []
  const put = (type: DiffRun['type'], line: string): void => {
    const last = runs.at(-1)
    if (last?.type === type) last.lines.push(line)
    else runs.push({ type, lines: [line] })
  }
  let x = old.length
  let y = fresh.length
  for (let changes = trace.length - 1; changes >= 0; changes--) {
    const furthest = trace[changes]!
    const k = x - y
    const at = k + changes + 1
    const isAdded = isDown(furthest, at, k, changes)
    const startX = changes === 0 ? 0 : isAdded ? furthest[at + 1]! : furthest[at - 1]! + 1
    while (x > startX) {
      put('same', old[--x]!)
      y--
    }
    if (changes === 0) break
    if (isAdded) put('added', fresh[--y]!)
    else put('removed', old[--x]!)
  }
  return runs.reverse().map(({ type, lines }) => ({ type, lines: lines.reverse() }))
}
