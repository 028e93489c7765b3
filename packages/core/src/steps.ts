import type { Entry } from './entry/entry.ts'

/**
 * A computation that asks for bodies as it goes: it yields the positions it needs next and is given their entries
 * (`undefined` for a body that cannot be read). One implementation serves memory, files and a browser, sync or async,
 * and nothing is read that is not asked for.
 */
export type Steps<T> = Generator<readonly number[], T, readonly (Entry | undefined)[]>

export type ReadBodies = (positions: readonly number[]) => readonly (Entry | undefined)[]
export type ReadBodiesAsync = (positions: readonly number[]) => Promise<readonly (Entry | undefined)[]>

export function runSteps<T>(steps: Steps<T>, read: ReadBodies): T {
  let step = steps.next()
  while (!step.done) step = steps.next(read(step.value))
  return step.value
}

export async function runStepsAsync<T>(steps: Steps<T>, read: ReadBodiesAsync): Promise<T> {
  let step = steps.next()
  while (!step.done) step = steps.next(await read(step.value))
  return step.value
}
