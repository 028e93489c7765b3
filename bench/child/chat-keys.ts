import { setTimeout as pass } from 'node:timers/promises'
import type { Terminal } from './terminal.ts'

/** A quick typist's. Also longer than Ink waits between two frames, which is not work. */
const BETWEEN_KEYS_MS = 50

/** What the editor says while it is empty; the cursor stands on its first letter. */
export const EMPTY_EDITOR = /sk something/
export const BACKSPACE = '\u007f'
/** The block of the cursor, behind what was typed. */
const CURSOR = '\\u001b\\[7m'

export interface TimedKey {
  readonly ms: number
  readonly match: RegExpExecArray
}

/** Presses a key and gives how long it took until the mark was on the screen. */
export async function timeKey(terminal: Terminal, key: string, mark: RegExp): Promise<TimedKey> {
  await pass(BETWEEN_KEYS_MS)
  const start = performance.now()
  terminal.press(key)
  const { atMs, match } = await terminal.seen(mark)
  return { ms: atMs - start, match }
}

/** The last letters of what was typed, and the cursor behind them. */
export function typed(text: string): RegExp {
  return new RegExp(`${text.slice(-4)}${CURSOR}`)
}
