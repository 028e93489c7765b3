// `npm start [-- words]`: serves the user's sessions, or whatever the words ask the program for. A CI job waits for an end,
// so there it is a check instead: it starts over a home that is thrown away, tries the door, and leaves.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from './program.ts'

const words = process.argv.slice(2)
const { env, stdout } = process
const isInCi = Boolean(env.CI) && env.CI !== 'false'

// `npm start | head` closes the pipe early; that is no error of ours.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

const program = findProgram()
// Where the user is: npm goes to the repository's folder.
if (env.INIT_CWD) process.chdir(env.INIT_CWD)
// What it tells the user to type is found by their shell.
env.TREELINE_COMMAND = 'npm start --'
process.argv = [process.execPath, program, ...(words.length > 0 ? words : wordsToServe())]
await import(program)
if (words.length === 0 && isInCi && !process.exitCode) {
  stdout.write('That was a check, as CI is set. Without it `npm start` keeps serving.\n')
}

function wordsToServe(): readonly string[] {
  if (!isInCi) return ['serve', '--sample']
  const home = mkdtempSync(join(tmpdir(), 'treeline-check-'))
  process.on('exit', () => rmSync(home, { recursive: true, force: true }))
  return ['serve', '--sample', '--check', '--port', '0', '--home', home]
}
