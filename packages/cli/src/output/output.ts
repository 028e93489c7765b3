import { isJsonLine, safeJson } from './safe-json.ts'
import type { Screen } from './screen.ts'
import { render } from './style.ts'

/** Where a command's words go. Everything printed passes the one sanitiser (K4). */
export interface Output {
  /** For the person who asked: text, a line end is added. Silent with `--json`. */
  print(text?: string): void
  /** As `print`, without a line end: text on its way. */
  write(text: string): void
  /** One document on one line, whatever form was asked for. */
  document(value: unknown): void
  /** The answer with `--json`: one document, on one line. */
  json(value: unknown): void
  /** As `json`, of what `jsonLine` made before. False where it cannot have made it: then nothing is printed (K4). */
  jsonLine(line: Uint8Array): boolean
  /** On the error stream, in both modes: what went on beside the answer. */
  note(text: string): void
  /** A file's bytes as they are, for `export`. Only when standard output is no terminal. */
  raw(text: string): Promise<void>
  readonly isJson: boolean
  /** Whether the answer goes to a terminal. */
  readonly isTty: boolean
  readonly columns: number
}

export interface OutputOptions {
  readonly stdout: Screen
  readonly stderr: Screen
  readonly isJson: boolean
  /** By default as the terminal and `NO_COLOR`, `FORCE_COLOR` say. */
  readonly colour?: boolean | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

const DEFAULT_COLUMNS = 80
const MIN_COLUMNS = 40

export function createOutput({ stdout, stderr, isJson, colour, env }: OutputOptions): Output {
  const hasColour = (isTty: boolean) => colour ?? wantsColour(env, isTty)
  const out = (text: string) => stdout.write(text)
  return {
    isJson,
    isTty: stdout.isTTY === true,
    // As of now: a chat goes on while its window is made smaller.
    get columns() {
      return Math.max(MIN_COLUMNS, stdout.columns || Number(env.COLUMNS) || DEFAULT_COLUMNS)
    },
    print(text = '') {
      if (!isJson) out(`${render(text, hasColour(stdout.isTTY === true))}\n`)
    },
    write(text) {
      if (isJson) return
      out(render(text, hasColour(stdout.isTTY === true)))
      stdout.flush?.()
    },
    document(value) {
      out(`${safeJson(value)}\n`)
      stdout.flush?.()
    },
    json(value) {
      if (isJson) out(`${safeJson(value)}\n`)
    },
    jsonLine(line) {
      const isSafe = isJsonLine(line)
      if (isSafe) stdout.write(line)
      return isSafe
    },
    note(text) {
      stderr.write(`${render(text, hasColour(stderr.isTTY === true))}\n`)
    },
    raw(text) {
      if (stdout.isTTY) {
        out(render(text, false))
        return Promise.resolve()
      }
      return new Promise((resolve, reject) => {
        stdout.write(text, (error) => (error ? reject(error) : resolve()))
      })
    },
  }
}

function wantsColour({ NO_COLOR, FORCE_COLOR, TERM }: OutputOptions['env'], isTty: boolean): boolean {
  if (NO_COLOR) return false
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0'
  return isTty && TERM !== 'dumb'
}
