import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { codeCacheOf } from '../../../../testing/code-cache-of.ts'
import { builtProgram } from './built-program.ts'
import { NO_LOCAL_MODELS } from './no-local-models.ts'

export interface RunOptions {
  /** Where Treeline's own sessions are; one per test by default. */
  readonly home?: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
}

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** The document that `--json` printed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely.
  json(): any
}

/** An empty folder that is gone after the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'treeline-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Runs the built program as a user would: another process, nothing of this one's settings, a user's home that is empty
 * unless `env.HOME` says otherwise.
 */
export async function runTreeline(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { cwd = tempFolder(), home = join(cwd, '.treeline-home'), env = {}, stdin = '' } = options
  const program = await builtProgram()
  const own = { HOME: join(cwd, 'no-such-home'), TREELINE_HOME: home, NODE_COMPILE_CACHE: codeCacheOf(program) }
  const child = spawn(process.execPath, [program, ...words], {
    cwd,
    env: { PATH: process.env.PATH, ...own, ...NO_LOCAL_MODELS, NO_COLOR: '1', ...env },
  })
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (bytes: Buffer) => stdout.push(bytes))
  child.stderr.on('data', (bytes: Buffer) => stderr.push(bytes))
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => resolve(status ?? -1))
  })
  const text = Buffer.concat(stdout).toString('utf8')
  const said = Buffer.concat(stderr).toString('utf8')
  return {
    code,
    stdout: text,
    stderr: said,
    json() {
      if (text === '') throw new Error(`Nothing was printed. On the error stream: ${said}`)
      return JSON.parse(text)
    },
  }
}
