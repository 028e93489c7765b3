import { expect } from 'vitest'
import { all } from './chat-terminal.ts'
import { findForeignEscapes } from './foreign-escapes.ts'
import type { Terminal } from './terminal.ts'

/** Nothing but the chat drove the terminal, from its first frame to its last (K4). */
function expectUnmoved(terminal: Terminal): void {
  expect(terminal.spied).toEqual({ clipboard: [], links: [], titles: [], bells: 0 })
  expect(findForeignEscapes(terminal.output)).toEqual([])
}

/** Each of them was shown: what is not shown proves nothing. */
export function expectSeen(terminal: Terminal, names: readonly string[]): void {
  const seen = all(terminal)
  expect(names.filter((name) => !seen.includes(name))).toEqual([])
}

/** To the last words of the program. */
export async function leaveUnmoved(terminal: Terminal): Promise<void> {
  await terminal.press('ctrl+d')
  await terminal.exit()
  expectUnmoved(terminal)
}
