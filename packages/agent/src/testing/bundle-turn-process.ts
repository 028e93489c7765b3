import { bundleScript } from '../../../../testing/bundle-script.ts'
import { KilledProcess } from '../torture/killed-process.ts'

/** Makes `turn-process.ts` one file in `folder`, for all processes that are started. */
export async function bundleTurnProcess(folder: string): Promise<string> {
  const script = await bundleScript(new URL('../torture/turn-process.ts', import.meta.url), folder)
  // One that ends by itself leaves its compiled code to the others.
  await new KilledProcess(script).end()
  return script
}
