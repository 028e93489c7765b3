import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import type { Order } from './order.ts'

/** A running `appender.ts`, and everything it said about its latest order. */
export class AppenderProcess {
  readonly attempted = new Map<string, bigint>()
  readonly acknowledged: string[] = []
  readonly problems: string[] = []
  /** The ids it saw in the end, in order. */
  seen: readonly string[] | undefined
  isDead = false
  private readonly child: ChildProcess
  private readonly closed: Promise<unknown>
  private waiting: (() => void)[] = []
  /** Waits for an order. */
  isReady = false

  /** Compiled code is kept beside the script. */
  constructor(script: string) {
    const env = { ...process.env, NODE_COMPILE_CACHE: dirname(script) }
    this.child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'], env })
    this.closed = once(this.child, 'close')
    // Writing to one that was killed just now is no news.
    this.child.stdin!.on('error', () => {})
    createInterface({ input: this.child.stdout! }).on('line', (line) => this.hear(line))
    this.closed.then(() => {
      this.isDead = true
      this.wake()
    })
  }

  async ready(): Promise<void> {
    await this.until(() => this.isReady)
  }

  async end(): Promise<void> {
    this.child.stdin!.end()
    await this.closed
  }

  give(order: Order): void {
    this.attempted.clear()
    this.acknowledged.length = 0
    this.problems.length = 0
    this.seen = undefined
    this.isReady = false
    this.child.stdin!.write(`${JSON.stringify(order)}\n`)
  }

  /** Resolves when the condition holds, or when nothing more will come. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo() && !this.isDead) await new Promise<void>((resolve) => this.waiting.push(resolve))
  }

  /** Resolves when it is dead and everything it said was heard. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.closed
  }

  private hear(line: string): void {
    const text = line.slice(1)
    if (line === 'ready' || line === 'done') this.isReady = true
    else if (line.startsWith('=')) this.acknowledged.push(text)
    else if (line.startsWith('#')) this.seen = text.split(' ').filter(Boolean)
    else if (line.startsWith('!')) this.problems.push(text)
    else if (line.startsWith('+')) {
      const [id, time] = text.split(' ') as [string, string]
      this.attempted.set(id, BigInt(time))
    }
    this.wake()
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve()
  }
}
