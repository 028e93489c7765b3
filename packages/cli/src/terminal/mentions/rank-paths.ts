import { setImmediate as nextTurn } from 'node:timers/promises'

/** Looked at before the clock is. */
const STEP = 1_024
const SLICE_MS = 6

interface Ranked {
  readonly path: string
  readonly rank: number
}

/**
 * The paths that fit what was typed of one, the best first: those that begin so, then names that begin so, then what has it
 * anywhere, then its letters in their order. Lets other work in between: there may be very many.
 */
export async function rankPaths(
  paths: readonly string[],
  begun: string,
  limit: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const wanted = begun.toLowerCase()
  const showsHidden = /(?:^|\/)\./.test(begun)
  const best: Ranked[] = []
  let sliceEnd = performance.now() + SLICE_MS
  for (let at = 0; at < paths.length; at++) {
    if (at % STEP === 0 && performance.now() > sliceEnd) {
      await nextTurn()
      signal.throwIfAborted()
      sliceEnd = performance.now() + SLICE_MS
    }
    const path = paths[at]!
    if (!showsHidden && isHidden(path)) continue
    const rank = rankOf(path, wanted)
    if (rank !== undefined) keepBest(best, { path, rank }, limit)
  }
  return best.map(({ path }) => path)
}

function isHidden(path: string): boolean {
  return path.startsWith('.') || path.includes('/.')
}

/** Smaller is better; `undefined` where it does not fit. */
function rankOf(path: string, wanted: string): number | undefined {
  const group = groupOf(path.toLowerCase(), wanted)
  if (group === undefined) return undefined
  // Then those that are less deep, then the shorter ones.
  return group * 1e9 + depthOf(path) * 1e6 + Math.min(path.length, 1e6 - 1)
}

function groupOf(path: string, wanted: string): number | undefined {
  if (wanted === '') return 0
  // What is typed in full needs no offer.
  if (path === wanted) return undefined
  if (path.startsWith(wanted)) return 0
  const name = path.slice(path.lastIndexOf('/', path.length - 2) + 1)
  if (name.startsWith(wanted)) return 1
  if (name.includes(wanted)) return 2
  if (path.includes(wanted)) return 3
  return hasInOrder(name, wanted) ? 4 : hasInOrder(path, wanted) ? 5 : undefined
}

function hasInOrder(path: string, wanted: string): boolean {
  let from = 0
  for (const letter of wanted) {
    const at = path.indexOf(letter, from)
    if (at < 0) return false
    from = at + letter.length
  }
  return true
}

function depthOf(path: string): number {
  let depth = 0
  for (let at = path.indexOf('/'); at >= 0 && at < path.length - 1; at = path.indexOf('/', at + 1)) depth++
  return Math.min(depth, 999)
}

/** Of equals the earlier one stays before the later. */
function keepBest(best: Ranked[], ranked: Ranked, limit: number): void {
  if (best.length === limit && ranked.rank >= best.at(-1)!.rank) return
  const at = best.findLastIndex(({ rank }) => rank <= ranked.rank) + 1
  best.splice(at, 0, ranked)
  if (best.length > limit) best.pop()
}
