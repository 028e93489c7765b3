/** One entry of every ring of parents (X24). Looks at each entry once. */
export function findRings(parents: ReadonlyMap<string, string | null>): string[] {
  const walkOf = new Map<string, number>()
  const rings: string[] = []
  let walk = 0
  for (const start of parents.keys()) {
    walk++
    let at: string | null | undefined = start
    while (typeof at === 'string' && parents.has(at) && !walkOf.has(at)) {
      walkOf.set(at, walk)
      at = parents.get(at)
    }
    if (typeof at === 'string' && walkOf.get(at) === walk) rings.push(at)
  }
  return rings
}
