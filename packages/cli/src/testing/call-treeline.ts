import { Readable, Writable } from 'node:stream'
import { run } from '../run.ts'
import { type Ran, type RunOptions, tempFolder } from './run-treeline.ts'

export interface CallOptions extends RunOptions {
  /** A terminal: what is typed into it is `stdin`. */
  readonly isTty?: boolean
  readonly columns?: number
  readonly signal?: AbortSignal
}

/**
 * As `runTreeline`, but in this process and without building anything: for the many cases of a command, of which one at
 * least is also run as a user would.
 */
export async function callTreeline(words: readonly string[], options: CallOptions = {}): Promise<Ran> {
  const { cwd = tempFolder(), home = `${cwd}/.treeline-home`, env = {}, stdin = '', isTty = false } = options
  const [stdout, stderr] = [gather(), gather()]
  const input = Object.assign(Readable.from([Buffer.from(stdin)]), { isTTY: isTty })
  const code = await run(words, {
    stdin: () => input,
    stdout: Object.assign(stdout.stream, { isTTY: isTty, columns: options.columns ?? 80 }),
    stderr: Object.assign(stderr.stream, { isTTY: isTty }),
    env: { HOME: `${cwd}/no-such-home`, TREELINE_HOME: home, NO_COLOR: '1', ...env },
    cwd,
    signal: options.signal ?? new AbortController().signal,
  })
  return {
    code,
    stdout: stdout.text(),
    stderr: stderr.text(),
    json() {
      if (stdout.text() === '') throw new Error(`Nothing was printed. On the error stream: ${stderr.text()}`)
      return JSON.parse(stdout.text())
    },
  }
}

function gather(): { readonly stream: Writable; text(): string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') }
}
