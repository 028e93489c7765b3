import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type ServedProcess, startServing } from '../../../../testing/serving.ts'
import { builtProgram } from './built-program.ts'
import { tempFolder } from './run-treeline.ts'

export type { ServedProcess } from '../../../../testing/serving.ts'

export interface ServingOptions {
  readonly home?: string
  readonly env?: Readonly<Record<string, string>>
}

/** The built program, serving; killed after the test if it is still there. */
export async function serveTreeline(words: readonly string[], options: ServingOptions = {}): Promise<ServedProcess> {
  const cwd = tempFolder()
  const { home = join(cwd, 'home'), env = {} } = options
  const served = await startServing({ program: await builtProgram(), words, cwd, home, env })
  onTestFinished(async () => {
    served.kill('SIGKILL')
    await served.exit
  })
  return served
}
