import { type ChildProcess, spawn } from 'node:child_process'
import { codeCacheOf } from './code-cache-of.ts'

export interface ServeOptions {
  /** The built program. */
  readonly program: string
  /** Besides `serve --json`. */
  readonly words: readonly string[]
  readonly cwd: string
  readonly home: string
  readonly env?: Readonly<Record<string, string>>
}

/** The built program, serving, as a process of its own. */
export interface ServedProcess {
  readonly url: string
  readonly port: number
  readonly loginUrl: string
  readonly home: string
  readonly stdout: () => string
  readonly stderr: () => string
  kill(signal: NodeJS.Signals): void
  /** Resolves when the text stands on the error stream. */
  said(text: string): Promise<void>
  /** The exit code, or the signal that ended it. */
  readonly exit: Promise<number | NodeJS.Signals | null>
}

/** Serves with nothing of this process's settings, for a user whose own home is empty. Whoever starts it ends it. */
export async function startServing(options: ServeOptions): Promise<ServedProcess> {
  const { program, words, cwd, home, env = {} } = options
  const own = { HOME: `${cwd}/no-such-home`, TREELINE_HOME: home, NODE_COMPILE_CACHE: codeCacheOf(program) }
  const child = spawn(process.execPath, [program, 'serve', '--json', ...words], {
    cwd,
    env: { PATH: process.env.PATH, ...own, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = new Promise<number | NodeJS.Signals | null>((done) =>
    child.once('close', (code, by) => done(code ?? by)),
  )
  const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)]
  await stdout.until((text) => text.includes('\n'), exit, stderr.text)
  const { url, port, loginUrl } = JSON.parse(stdout.text())
  return {
    ...{ url, port, loginUrl, home, exit, stdout: stdout.text, stderr: stderr.text },
    kill: (signal) => void child.kill(signal),
    said: (text) => stderr.until((said) => said.includes(text), exit, stderr.text),
  }
}

function gather(stream: ChildProcess['stdout'] & {}) {
  let text = ''
  const waiting = new Set<() => void>()
  stream.on('data', (bytes: Buffer) => {
    text += bytes.toString()
    for (const look of waiting) look()
  })
  return {
    text: () => text,
    until(isRight: (text: string) => boolean, exit: Promise<unknown>, problem: () => string): Promise<void> {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          if (isRight(text)) resolve()
        }
        waiting.add(look)
        look()
        exit.then((code) => reject(new Error(`It ended with ${code}: ${problem()}`)))
      })
    },
  }
}
