const MULTIPLIERS = [0x239b961b, 0xab0e9789 | 0, 0x38b34ae5, 0xa1e38b93 | 0] as const

/**
 * 128 bits of a path as 32 hex digits, to name files by: no two paths that people have share them. Not `node:crypto`, which
 * takes longer to load than a small session takes to open; against somebody who looks for two such paths it is no help.
 */
export function pathHash(path: string): string {
  const lanes = [0x9747b28c | 0, 0x85ebca6b | 0, 0xc2b2ae35 | 0, path.length]
  for (let index = 0; index < path.length; index++) {
    const unit = path.charCodeAt(index)
    for (let lane = 0; lane < 4; lane++) {
      const mixed = Math.imul(lanes[lane]! ^ unit ^ (lanes[(lane + 1) & 3]! >>> 15), MULTIPLIERS[lane]!)
      lanes[lane] = (mixed << 13) | (mixed >>> 19)
    }
  }
  // Every lane goes into every other, so that the last characters count as much as the first.
  for (let round = 0; round < 8; round++) {
    const lane = round & 3
    lanes[lane] = finish(lanes[lane]! + lanes[(lane + 3) & 3]!)
  }
  return lanes.map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('')
}

/** Murmur's: every bit of the result depends on every bit. */
function finish(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
