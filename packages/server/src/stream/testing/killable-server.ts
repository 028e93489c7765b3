import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('./server-process.ts', import.meta.url))

/** A server in a process of its own, which can be killed and started again at the same port, over the same home. */
export class KillableServer implements AsyncDisposable {
  port = 0
  private readonly home: string
  private child: ChildProcess | undefined

  constructor(home: string) {
    this.home = home
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Resolves when it listens. */
  async start(): Promise<void> {
    // Compiled code is kept for the next one.
    const env = { ...process.env, NODE_COMPILE_CACHE: join(this.home, 'compiled') }
    const args = [PROGRAM, this.home, String(this.port)]
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], env })
    this.child = child
    const [line] = await once(createInterface({ input: child.stdout! }), 'line')
    this.port = Number(line)
  }

  /** At once, as a crash of the system would. */
  async kill(): Promise<void> {
    const { child } = this
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill()
  }
}
