/** A stretch of one text: in both, or only here. */
export interface DiffPiece {
  readonly text: string
  readonly isSame: boolean
}

export interface WordDiff {
  readonly left: readonly DiffPiece[]
  readonly right: readonly DiffPiece[]
  /** They differ so much, or are so long, that it was not looked into. */
  readonly isCut: boolean
}

const MAX_WORDS = 8_000
/** How many words may differ before it is given up: the work grows with its square. */
const MAX_DIFFERENT = 600

/** Words, spaces and signs; of Chinese, Japanese and Korean each character, because their words are not set apart. */
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\s]/gu

/** Where two texts differ, word by word, by Myers. Bounded: what is too different is told as a whole. */
export function diffWords(left: string, right: string): WordDiff {
  if (left === right) return { left: same(left), right: same(right), isCut: false }
  const [a, b] = [left.match(WORDS) ?? [], right.match(WORDS) ?? []]
  if (a.length + b.length > MAX_WORDS) return { left: other(left), right: other(right), isCut: true }
  const shortest = Math.min(a.length, b.length)
  let head = 0
  while (head < shortest && a[head] === b[head]) head++
  let tail = 0
  while (tail < shortest - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  const kept = keptWords(a.slice(head, a.length - tail), b.slice(head, b.length - tail))
  const inBoth = (count: number, offset: number, keptAt: ReadonlySet<number>) => (at: number) =>
    at < head || at >= count - tail || keptAt.has(at - offset)
  return {
    left: join(a, inBoth(a.length, head, kept?.left ?? new Set())),
    right: join(b, inBoth(b.length, head, kept?.right ?? new Set())),
    isCut: kept === undefined,
  }
}

interface Kept {
  readonly left: ReadonlySet<number>
  readonly right: ReadonlySet<number>
}

/** The places of the words that both have, in a longest common run; `undefined` when they differ too much. */
function keptWords(a: readonly string[], b: readonly string[]): Kept | undefined {
  const most = Math.min(MAX_DIFFERENT, a.length + b.length)
  const middle = most + 1
  const ends = new Int32Array(2 * most + 3)
  const trace: Int32Array[] = []
  for (let steps = 0; steps <= most; steps++) {
    trace.push(ends.slice(middle - steps - 1, middle + steps + 2))
    for (let k = -steps; k <= steps; k += 2) {
      const isDown = k === -steps || (k !== steps && ends[middle + k - 1]! < ends[middle + k + 1]!)
      let x = isDown ? ends[middle + k + 1]! : ends[middle + k - 1]! + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      ends[middle + k] = x
      if (x >= a.length && x - k >= b.length) return walkBack(trace, a.length, b.length)
    }
  }
  return undefined
}

function walkBack(trace: readonly Int32Array[], fromX: number, fromY: number): Kept {
  const kept = { left: new Set<number>(), right: new Set<number>() }
  let [x, y] = [fromX, fromY]
  for (let steps = trace.length - 1; steps >= 0; steps--) {
    const ends = trace[steps]!
    const at = (k: number): number => ends[k + steps + 1]!
    const k = x - y
    const isDown = k === -steps || (k !== steps && at(k - 1) < at(k + 1))
    const before = isDown ? k + 1 : k - 1
    const beforeX = steps === 0 ? 0 : at(before)
    const beforeY = steps === 0 ? 0 : beforeX - before
    while (x > beforeX && y > beforeY) {
      x--
      y--
      kept.left.add(x)
      kept.right.add(y)
    }
    x = beforeX
    y = beforeY
  }
  return kept
}

function join(words: readonly string[], isSameAt: (at: number) => boolean): readonly DiffPiece[] {
  const pieces: { text: string; isSame: boolean }[] = []
  for (const [at, word] of words.entries()) {
    const isSame = isSameAt(at)
    const last = pieces.at(-1)
    if (last?.isSame === isSame) last.text += word
    else pieces.push({ text: word, isSame })
  }
  return pieces
}

function same(text: string): readonly DiffPiece[] {
  return text === '' ? [] : [{ text, isSame: true }]
}

function other(text: string): readonly DiffPiece[] {
  return text === '' ? [] : [{ text, isSame: false }]
}
