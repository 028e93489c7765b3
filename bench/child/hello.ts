// The same prompt with nothing behind it: what Ink and Node alone take.
import { runChild } from './run-child.ts'
import { startPrompt } from './start-prompt.ts'

await runChild({ start: startPrompt })
