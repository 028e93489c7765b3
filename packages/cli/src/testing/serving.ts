import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { builtProgram } from './built-program.ts'
import { tempFolder } from './run-treeline.ts'

export interface ServingOptions {
  readonly home?: string
  readonly env?: Readonly<Record<string, string>>
}

/** The built program, serving; killed after the test if it is still there. */
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

export async function serveTreeline(words: readonly string[], options: ServingOptions = {}): Promise<ServedProcess> {
  const cwd = tempFolder()
  const { home = join(cwd, 'home'), env = {} } = options
  const given = { PATH: process.env.PATH, HOME: join(cwd, 'no-such-home'), TREELINE_HOME: home, NO_COLOR: '1', ...env }
  const child = spawn(process.execPath, [await builtProgram(), 'serve', '--json', ...words], {
    cwd,
    env: given,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = new Promise<number | NodeJS.Signals | null>((done) =>
    child.once('close', (code, by) => done(code ?? by)),
  )
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exit
  })
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
