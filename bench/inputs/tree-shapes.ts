import { createRandom } from './random.ts'

/** The parent of each node, -1 for the root; every parent stands before its children. */
type Shape = (count: number) => Int32Array

/** One node in fifty is tried again from a little above, as in the sessions of the other rows; the last one goes on. */
export const agentShape: Shape = (count) => {
  const random = createRandom(9)
  return Int32Array.from({ length: count }, (_, i) =>
    i > 0 && random.chance(0.02) ? Math.max(0, i - 1 - random.int(1, 200)) : i - 1,
  )
}

/** Under any node that is there already. */
export const randomShape: Shape = (count) => {
  const random = createRandom(10)
  return Int32Array.from({ length: count }, (_, i) => (i === 0 ? -1 : random.int(0, i - 1)))
}

export const chainShape: Shape = (count) => Int32Array.from({ length: count }, (_, i) => i - 1)
