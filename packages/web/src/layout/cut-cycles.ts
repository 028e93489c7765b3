/**
 * Makes every node hang from a top, in place: where parents go round in a circle, one of them becomes a top. Nodes are the
 * places from `start` up to `end`; a parent before `start` is a top. Each place is looked at once.
 */
export function cutCycles(parent: Int32Array, start: number, end: number, top: number): void {
  const seen = new Int32Array(end)
  for (let from = start; from < end; from++) {
    if (seen[from] !== 0) continue
    const walk = from + 1
    let at = from
    while (at >= start && seen[at] === 0) {
      seen[at] = walk
      at = parent[at]!
    }
    if (at >= start && seen[at] === walk) parent[at] = top
  }
}
