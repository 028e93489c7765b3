import { bundleScript } from '../../../../testing/bundle-script.ts'
import { AppenderProcess } from '../torture/appender-process.ts'

/** Makes `appender.ts` one file in `folder`, for all processes that are started. */
export async function bundleAppender(folder: string): Promise<string> {
  const script = await bundleScript(new URL('../torture/appender.ts', import.meta.url), folder)
  // One that ends by itself leaves its compiled code to the others.
  await new AppenderProcess(script).end()
  return script
}
