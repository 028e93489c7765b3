import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import type { TurnEvent } from '../turn/events.ts'
import type { TurnOrder } from './order.ts'

export type Heard =
  | TurnEvent
  | { readonly type: 'ready' | 'opened' | 'done' }
  | { readonly type: 'problem'; readonly message: string }

/** A running `turn-process.ts`, and everything it said. */
export class KilledProcess {
  readonly heard: Heard[] = []
  private readonly child: ChildProcess
  private readonly closed: Promise<unknown>
  private isDead = false
  private waiting: (() => void)[] = []

  /** Compiled code is kept beside the script. */
  constructor(script: string) {
    const env = { ...process.env, NODE_COMPILE_CACHE: dirname(script) }
    this.child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'], env })
    this.closed = once(this.child, 'close')
    // Writing to one that was killed just now is no news.
    this.child.stdin!.on('error', () => {})
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      this.heard.push(JSON.parse(line) as Heard)
      this.wake()
    })
    this.closed.then(() => {
      this.isDead = true
      this.wake()
    })
  }

  give(order: TurnOrder): void {
    this.child.stdin!.write(`${JSON.stringify(order)}\n`)
  }

  /** Resolves with the first thing it said that is so, or when nothing more will come. */
  async until(isSo: (heard: Heard) => boolean): Promise<Heard | undefined> {
    for (;;) {
      const found = this.heard.find(isSo)
      if (found !== undefined || this.isDead) return found
      await new Promise<void>((resolve) => this.waiting.push(resolve))
    }
  }

  /** Resolves when it is dead and everything it said was heard. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.closed
  }

  /** Lets it end by itself. */
  async end(): Promise<void> {
    this.child.stdin!.end()
    await this.closed
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve()
  }
}
