import { TreelineError } from '@treeline/core'
import type { Home, SessionIndex, SessionStore } from '@treeline/store'
import type { Input } from './asking.ts'
import type { Output } from './output/output.ts'
import { createProgressBar, type ProgressBar } from './output/progress.ts'
import type { Screen } from './output/screen.ts'

/** What a command works with. Opened when first asked for, closed when the command is over. */
export interface Context extends AsyncDisposable {
  readonly out: Output
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** The home that was asked for; the usual one without. */
  readonly homeDir: string | undefined
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal
  home(): Promise<Home>
  store(): Promise<SessionStore>
  /** Over our own sessions and those of every tool found in its usual place. */
  index(): Promise<SessionIndex>
  progress(label: string): ProgressBar
  /** Whether somebody sits at the terminal who can be asked. */
  readonly canAsk: boolean
  /** Whether standard input comes from somewhere else than a keyboard. */
  readonly isPiped: boolean
  /** Asks at the terminal. Where nobody can be asked it refuses and names the option that answers beforehand. */
  confirm(question: string, option: string): Promise<boolean>
  /** Asks at the terminal and gives what was typed. Only where somebody can be asked. */
  ask(prompt: string): Promise<string>
  /** Asks for something that must not be seen: what is typed is not shown. Only where somebody can be asked. */
  askHidden(question: string): Promise<string>
  /** All of standard input, as text. */
  readInput(): Promise<string>
  /** Whether standard input says anything, or ends, before so long has passed; if not, it is closed. */
  hasInput(waitMs: number): Promise<boolean>
  /** Tells of every Enter at the terminal until it is disposed of. Nothing comes where nobody can be asked. */
  onEnter(tell: () => void): Promise<Disposable>
}

export interface ContextOptions {
  readonly out: Output
  readonly homeDir: string | undefined
  readonly env: Context['env']
  readonly cwd: string
  readonly signal: AbortSignal
  /** Opened when first asked for, which few commands do. */
  readonly stdin: () => Input
  readonly stderr: Screen
}

export function createContext({ out, homeDir, env, cwd, signal, stdin, stderr }: ContextOptions): Context {
  const opened: (Disposable | AsyncDisposable)[] = []
  const home = once(async () => {
    const { openHome } = await import('./opening/home.ts')
    return keep(openHome({ home: homeDir }))
  })
  const store = once(async () => {
    const { openFileStore } = await import('./opening/store.ts')
    return keep(await openFileStore({ home: homeDir }))
  })
  const index = once(async () => {
    const { openIndex, usualSources } = await import('./opening/session-index.ts')
    const opening = await home()
    return keep(await openIndex({ home: opening, sources: usualSources({ home: opening.paths.home, env }) }))
  })

  function keep<T extends Disposable | AsyncDisposable>(resource: T): T {
    opened.push(resource)
    return resource
  }

  const isWatched = stderr.isTTY === true && !out.isJson
  const canAsk = () => isWatched && stdin().isTTY === true
  return {
    out,
    env,
    cwd,
    homeDir,
    signal,
    home,
    store,
    index,
    get canAsk() {
      return canAsk()
    },
    get isPiped() {
      return stdin().isTTY !== true
    },
    progress: (label) => createProgressBar(stderr, label),
    async confirm(question, option) {
      if (!canAsk()) {
        throw new TreelineError('bad_request', `${question} Nobody can be asked here: give ${option} to say yes.`)
      }
      out.note(question)
      const { ask } = await import('./asking.ts')
      return /^y(es)?$/i.test((await ask(stdin(), stderr, '[y/N] ', signal)).trim())
    },
    async ask(prompt) {
      const { ask } = await import('./asking.ts')
      return ask(stdin(), stderr, prompt, signal)
    },
    async askHidden(question) {
      out.note(question)
      const { ask } = await import('./asking.ts')
      return ask(stdin(), undefined, '', signal)
    },
    async readInput() {
      const { readAll } = await import('./asking.ts')
      return readAll(stdin(), signal)
    },
    async hasInput(waitMs) {
      const { comesWithin } = await import('./asking.ts')
      return comesWithin(stdin(), waitMs, signal)
    },
    async onEnter(tell) {
      if (!canAsk()) return { [Symbol.dispose]: () => {} }
      const { onEnter } = await import('./serving/enter-key.ts')
      return onEnter(stdin(), tell)
    },
    async [Symbol.asyncDispose]() {
      for (const resource of opened.reverse()) {
        if (Symbol.asyncDispose in resource) await resource[Symbol.asyncDispose]()
        else resource[Symbol.dispose]()
      }
    },
  }
}

function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | undefined
  return () => {
    opening ??= open()
    return opening
  }
}
