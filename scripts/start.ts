// `npm start [-- words]`: the chat, or whatever the words ask the program for. Without a terminal and without words there
// is nobody to talk to, so a short tour is printed.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { findProgram } from './program.ts'

const words = process.argv.slice(2)
const { env, stdin, stdout } = process
// Some CI systems give their jobs a terminal at which nobody sits.
const isAttended = stdin.isTTY === true && stdout.isTTY === true && !env.CI

// `npm start | head` closes the pipe early; that is no error of ours.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

if (words.length === 0 && !isAttended) {
  const tour = join(import.meta.dirname, '../packages/cli/src/tour.ts')
  execFileSync(process.execPath, [tour, '--no-pause'], { stdio: ['ignore', 'inherit', 'inherit'] })
  stdout.write('That was a tour. In a terminal `npm start` is the chat; here: npm start -- -p "why?"\n')
} else {
  const program = findProgram()
  // Where the user is: npm goes to the repository's folder.
  if (env.INIT_CWD) process.chdir(env.INIT_CWD)
  // What it tells the user to type is found by their shell.
  env.TREELINE_COMMAND = 'npm start --'
  process.argv = [process.execPath, program, ...words]
  await import(program)
}
