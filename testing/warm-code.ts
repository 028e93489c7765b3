import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { codeCacheOf } from './code-cache-of.ts'

/** Then it is left, and tests begin with a colder cache. */
const MAX_MS = 10_000

/**
 * Chats for a moment, so that Node keeps what it has made of the code. What ends with `kill -9`, as most in a test do, leaves
 * nothing, and what ends at once leaves little, which is then never added to.
 */
export async function warmCode(program: string): Promise<void> {
  const cwd = mkdtempSync(join(tmpdir(), 'treeline-warm-'))
  const own = { HOME: join(cwd, 'no-such-home'), TREELINE_HOME: join(cwd, 'home'), TREELINE_DEMO_DELAY_MS: '0' }
  const env = { PATH: process.env.PATH, LANG: 'C.UTF-8', ...own, NODE_COMPILE_CACHE: codeCacheOf(program) }
  try {
    await chat(program, cwd, env)
    execFileSync(process.execPath, [program, 'ls'], { cwd, env, stdio: 'ignore' })
    execFileSync(process.execPath, [program, 'serve', '--check', '--port', '0'], { cwd, env, stdio: 'ignore' })
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

function chat(program: string, cwd: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const pty = spawn(process.execPath, [program, 'Hello'], { name: 'xterm-256color', cwd, env })
  const timer = setTimeout(() => pty.kill('SIGKILL'), MAX_MS)
  let output = ''
  pty.onData((data) => {
    output += data
    if (output.includes('You said')) pty.write('\u0004')
  })
  return new Promise((resolve) => {
    pty.onExit(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
