import { join } from 'node:path'
import { inject } from 'vitest'

/** The program under test, as `build-once.ts` has built it. */
export async function builtProgram(): Promise<string> {
  return join(inject('dist'), 'treeline.js')
}
