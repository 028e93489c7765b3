import { openScreens } from './output/screen.ts'
import { run } from './run.ts'

/** The whole program, from the words of the command line to the exit code. */
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
process.once('SIGTERM', () => stop.abort())

process.exitCode = await run(process.argv.slice(2), {
  ...openScreens(),
  stdin: () => process.stdin,
  env: process.env,
  cwd: process.cwd(),
  signal: stop.signal,
})
