import { createHash } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { join } from 'node:path'

type Env = Readonly<Record<string, string | undefined>>

interface Sign {
  readonly prefix: string
  /** The first has to be set; the others say which server or window it belongs to. */
  readonly names: readonly [string, ...string[]]
}

/** A pane's own number is not given again while its server runs; the tty behind it is, as soon as the pane is closed. */
const PANES: readonly Sign[] = [
  { prefix: 'tmux', names: ['TMUX_PANE', 'TMUX'] },
  { prefix: 'zellij', names: ['ZELLIJ_PANE_ID', 'ZELLIJ_SESSION_NAME'] },
  { prefix: 'screen', names: ['STY', 'WINDOW'] },
]

const WINDOWS: readonly Sign[] = [
  { prefix: 'kitty', names: ['KITTY_WINDOW_ID', 'KITTY_PID'] },
  { prefix: 'wezterm', names: ['WEZTERM_PANE', 'WEZTERM_UNIX_SOCKET'] },
  { prefix: 'wt', names: ['WT_SESSION'] },
  { prefix: 'apple', names: ['TERM_SESSION_ID'] },
]

/** Not `/dev/tty`, which is every terminal's name for itself. */
const TTY = /^\/dev\/(pts\/\d+|tty[A-Za-z]*\d+)$/
const MAX_CHARS = 100

/**
 * Tells one terminal from the others, as the name of a file (K3); `undefined` outside of terminals.
 *
 * First a multiplexer's pane; then the tty, which no two terminals have at the same time; then, where there is no
 * `/proc`, what the window's program says. That comes last because it is inherited: by everything that is started from the
 * window, other windows and a whole tmux among them. A tty's number is given again to a later terminal, which then takes up
 * what the earlier one did in the same project.
 */
export function findTerminalId(env: Env = process.env, descriptors = '/proc/self/fd'): string | undefined {
  return findSign(env, PANES) ?? findTty(descriptors) ?? findSign(env, WINDOWS)
}

/** Any of the three: the others may be files or pipes. */
function findTty(descriptors: string): string | undefined {
  for (const number of ['0', '1', '2']) {
    const name = TTY.exec(readLink(join(descriptors, number)))?.[1]
    if (name !== undefined) return name.replace('/', '-')
  }
  return undefined
}

function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    // Closed, or a system without /proc: then there is no tty to be known by.
    return ''
  }
}

function findSign(env: Env, signs: readonly Sign[]): string | undefined {
  const sign = signs.find(({ names }) => isSet(env[names[0]]))
  if (sign === undefined) return undefined
  const values = sign.names.map((name) => env[name]).filter(isSet)
  return toSafeId([sign.prefix, ...values].join(' '))
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && /[A-Za-z0-9]/.test(value)
}

/** Begins with the prefix, so a letter. What is too long for a name is told apart by a hash. */
function toSafeId(text: string): string {
  const id = text.replace(/[^A-Za-z0-9._]+/g, '-').replace(/-$/, '')
  if (id.length <= MAX_CHARS) return id
  return `${id.slice(0, MAX_CHARS)}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}
