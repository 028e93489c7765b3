import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '../../../testing/run-treeline.ts'
import { openTerminal, type Terminal, type TerminalOptions } from '../../../testing/terminal.ts'

/** A user with two projects and a home of Treeline's; other tools keep theirs in `user`. */
export function places() {
  const root = tempFolder()
  const made = { user: join(root, 'user'), here: join(root, 'here'), there: join(root, 'there') }
  for (const folder of Object.values(made)) mkdirSync(folder)
  return { ...made, home: join(root, 'home') }
}

/** `treeline -r` there, once it shows what was planted and takes keys. */
export async function openPicker(
  { here, home, user }: ReturnType<typeof places>,
  { words = ['-r'], env, ...options }: TerminalOptions & { readonly words?: readonly string[] } = {},
): Promise<Terminal> {
  const given = { TREELINE_DEMO_DELAY_MS: '0', HOME: user, ...env }
  const terminal = await openTerminal(words, { cwd: here, home, ...options, env: given })
  await terminal.waitFor(isPicker)
  await terminal.waitFor(() => terminal.output.includes('\u001b[?2004h'))
  return terminal
}

/** Nothing is being read any more. */
export function isPicker(screen: readonly string[]): boolean {
  return /^(Sessions|Search: )/.test(screen[0] ?? '') && !/reading/.test(screen[0] ?? '')
}

/** The rows of the list: those that begin with how long ago, one of them behind the cursor. */
export function listed(screen: readonly string[]): readonly string[] {
  return screen.flatMap(
    (row) => /^(?:[›>] | {2})(?:just now|\d+ (?:min|h|d) ago) +(.*?)(?: {2,}.*)?$/.exec(row)?.[1] ?? [],
  )
}

export function chosen(screen: readonly string[]): string {
  return listed(screen.filter((row) => /^[›>] /.test(row)))[0] ?? ''
}
