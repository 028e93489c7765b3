import { setTimeout as pass } from 'node:timers/promises'
import { type IPty, spawn } from '@lydell/node-pty'

const TIMEOUT_MS = 60_000
const COLUMNS = 80
const ROWS = 24
/** The last of what was written, for a message. */
const TOLD_CHARS = 500

/** A program in a real terminal: keys go in, and what it writes is watched for marks. Class: it opens and closes. */
export class Terminal {
  readonly pid: number
  private readonly pty: IPty
  private readonly ended: Promise<void>
  /** What was written since the last key. */
  private fresh = ''
  private look: () => void = () => {}

  constructor(words: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
    this.pty = spawn(process.execPath, [...words], {
      name: 'xterm-256color',
      cwd,
      cols: COLUMNS,
      rows: ROWS,
      env: { PATH: process.env.PATH, HOME: cwd, LANG: 'C.UTF-8', ...env },
    })
    this.pid = this.pty.pid
    this.pty.onData((data) => {
      this.fresh += data
      this.look()
    })
    this.ended = new Promise((resolve) => {
      this.pty.onExit(() => resolve())
    })
  }

  press(keys: string): void {
    this.fresh = ''
    this.pty.write(keys)
  }

  /** Waits until it was written since the last key: gives it, and the time when it came. */
  async seen(mark: RegExp): Promise<{ readonly atMs: number; readonly match: RegExpExecArray }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ atMs: number; match: RegExpExecArray }>()
    const fail = (why: string): void => {
      const told = JSON.stringify(this.fresh.slice(-TOLD_CHARS))
      reject(new Error(`${why} before ${mark} was seen in the terminal. The last that was: ${told}`))
    }
    this.look = () => {
      const atMs = performance.now()
      const match = mark.exec(this.fresh)
      if (match !== null) resolve({ atMs, match })
    }
    const timer = setTimeout(() => fail(`${TIMEOUT_MS} ms passed`), TIMEOUT_MS)
    void this.ended.then(() => fail('The program ended'))
    this.look()
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.look = () => {}
    }
  }

  /** Asks it to leave with Ctrl+D, so that it keeps what it compiled. */
  async leave(): Promise<void> {
    this.pty.write('\u0004')
    const hasLeft = await Promise.race([this.ended.then(() => true), pass(5_000, false, { ref: false })])
    if (!hasLeft) throw new Error('The program did not leave when asked to.')
  }

  async kill(): Promise<void> {
    this.pty.kill('SIGKILL')
    await this.ended
  }
}
