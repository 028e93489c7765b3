import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { type IPty, spawn } from '@lydell/node-pty'
import { onTestFinished } from 'vitest'
import { codeCacheOf } from '../../../../testing/code-cache-of.ts'
import { builtProgram } from './built-program.ts'
import { tempFolder } from './run-treeline.ts'
import { bytesOf, type Key } from './terminal-keys.ts'
import { TerminalScreen } from './terminal-screen.ts'
import { untilAsleep } from './until-asleep.ts'

export interface TerminalOptions {
  readonly cwd?: string
  /** Where Treeline's own sessions are; one per test by default. */
  readonly home?: string
  readonly env?: Readonly<Record<string, string>>
  readonly columns?: number
  readonly rows?: number
}

/** What to wait for: words, wherever lines break; a pattern over the whole screen; anything else about its rows. */
export type Awaited = string | RegExp | ((screen: readonly string[]) => boolean)

/** Bytes of one key come together and of two apart, or nothing could tell Esc from the beginning of an arrow. */
const BETWEEN_KEYS_MS = 40
const AFTER_ESC_MS = 120

/** The built program in a real terminal, as `runTreeline` without one. */
export async function openTerminal(words: readonly string[], options: TerminalOptions = {}): Promise<Terminal> {
  const program = await builtProgram()
  const env = { NODE_COMPILE_CACHE: codeCacheOf(program), ...options.env }
  return openProgram(process.execPath, [program, ...words], { ...options, env })
}

/** Any program in a terminal that is closed after the test. */
export function openProgram(file: string, words: readonly string[], options: TerminalOptions = {}): Terminal {
  const { cwd = tempFolder(), home = join(cwd, '.treeline-home'), columns = 80, rows = 24 } = options
  const env = { PATH: process.env.PATH, HOME: join(cwd, 'no-such-home'), TREELINE_HOME: home, LANG: 'C.UTF-8' }
  const size = { cols: columns, rows }
  // It becomes TERM, whatever the environment says.
  const name = options.env?.TERM ?? 'xterm-256color'
  const pty = spawn(file, [...words], { name, cwd, env: { ...env, ...options.env }, ...size })
  const terminal = new Terminal(pty)
  onTestFinished(() => terminal.kill())
  return terminal
}

export class Terminal {
  readonly #pty: IPty
  readonly #screen: TerminalScreen
  readonly #exited: Promise<number>
  readonly #looking = new Set<() => void>()
  #isGone = false
  #output = ''

  constructor(pty: IPty) {
    this.#pty = pty
    this.#screen = new TerminalScreen(pty.cols, pty.rows)
    this.#screen.onAnswer((answer) => this.#isGone || pty.write(answer))
    pty.onData((data) => {
      this.#output += data
      void this.#screen.write(data).then(() => this.#look())
    })
    this.#exited = new Promise((resolve) => {
      pty.onExit(async ({ exitCode, signal }) => {
        this.#isGone = true
        await this.#screen.write('')
        resolve(signal ? 128 + signal : exitCode)
        this.#look()
      })
    })
  }

  get pid(): number {
    return this.#pty.pid
  }

  /** Everything that was sent to the terminal. */
  get output(): string {
    return this.#output
  }

  /** What it did to the terminal besides writing on it. */
  get spied() {
    return this.#screen.spied
  }

  /** The rows that are seen, without the blanks at their ends. */
  screen(): readonly string[] {
    return this.#screen.shown()
  }

  /** The rows that have left the screen at its top. */
  scrollback(): readonly string[] {
    return this.#screen.scrolledOff()
  }

  /** Row and column, from 0. */
  cursor() {
    return this.#screen.cursor()
  }

  async press(...keys: readonly Key[]): Promise<void> {
    for (const key of keys) {
      this.#pty.write(bytesOf(key))
      await pass(key === 'esc' ? AFTER_ESC_MS : BETWEEN_KEYS_MS)
      await untilAsleep(this.pid)
      // An Esc that was read late waits for what may follow it, and only then is one.
      if (key === 'esc') await pass(BETWEEN_KEYS_MS).then(() => untilAsleep(this.pid))
    }
  }

  async type(text: string): Promise<void> {
    for (const char of text) this.#pty.write(char)
    await pass(BETWEEN_KEYS_MS)
  }

  /** Bytes as they are, in one piece, as they come over a slow line. */
  async send(bytes: string): Promise<void> {
    this.#pty.write(bytes)
    await pass(BETWEEN_KEYS_MS)
  }

  /** One byte, which may be a part of a character, and time to read it. */
  async sendByte(byte: number): Promise<void> {
    // It takes bytes, too, whatever its types say.
    this.#pty.write(Buffer.of(byte) as unknown as string)
    await pass(BETWEEN_KEYS_MS)
  }

  /** In pieces that follow one another as quickly as they can. */
  sendAtOnce(...pieces: readonly string[]): void {
    for (const piece of pieces) this.#pty.write(piece)
  }

  /** As a terminal does when the program has asked to be told of pastes. */
  async paste(text: string): Promise<void> {
    const sent = text.replaceAll('\n', '\r')
    this.#pty.write(this.#screen.takesPastes ? `\u001b[200~${sent}\u001b[201~` : sent)
    await pass(BETWEEN_KEYS_MS)
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows)
    this.#pty.resize(columns, rows)
  }

  /** Looks at once and then whenever the screen has changed. Gives the screen back. */
  async waitFor(awaited: Awaited, timeoutMs = 15_000): Promise<readonly string[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>()
    const fail = (why: string) =>
      reject(new Error(`${why} before ${nameOf(awaited)} was seen:\n${this.#screen.picture()}`))
    const look = () => {
      if (this.#screen.isHeld && !this.#isGone) return
      const screen = this.screen()
      if (matches(screen, awaited)) resolve(screen)
      else if (this.#isGone) fail('The program ended')
    }
    const timer = setTimeout(() => fail(`${timeoutMs} ms passed`), timeoutMs)
    this.#looking.add(look)
    look()
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#looking.delete(look)
    }
  }

  /** Waits for the end of the program: its exit code, or 128 and the signal that ended it. */
  exit(): Promise<number> {
    return this.#exited
  }

  /** The window is closed, or the line is cut: there is no terminal any more. */
  hangUp(): void {
    const { destroy } = this.#pty as IPty & { readonly destroy: () => void }
    destroy.call(this.#pty)
  }

  /** SIGKILL, and waits until the program is gone. */
  async kill(): Promise<void> {
    if (!this.#isGone) this.#pty.kill('SIGKILL')
    await this.#exited
  }

  #look(): void {
    for (const look of this.#looking) look()
  }
}

function matches(screen: readonly string[], awaited: Awaited): boolean {
  if (typeof awaited === 'function') return awaited(screen)
  const text = screen.join('\n')
  return typeof awaited === 'string' ? inOneLine(text).includes(inOneLine(awaited)) : awaited.test(text)
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

function nameOf(awaited: Awaited): string {
  return typeof awaited === 'function' && awaited.name !== '' ? awaited.name : String(awaited)
}
