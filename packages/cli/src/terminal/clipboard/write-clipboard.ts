import { osc52 } from './osc52.ts'
import { runTool } from './run-tool.ts'
import { clipboardTools } from './tools.ts'

export interface ClipboardOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform?: NodeJS.Platform
  /** Where the terminal is. Nothing but what sets its clipboard is written. */
  readonly write?: (sequence: string) => void
}

/** `tool`: it is there. `terminal`: the terminal was told; not all of them listen. `too_long`: neither would do. */
export type Copied = 'tool' | 'terminal' | 'too_long'

/**
 * Puts text into the clipboard: with the tool of this system where there is one, else by way of the terminal, which works
 * over ssh, too. There the tool would fill the clipboard of the other machine, so that the terminal is told in any case.
 */
export async function writeClipboard(text: string, options: ClipboardOptions): Promise<Copied> {
  const { env, platform = process.platform, write = (sequence) => process.stdout.write(sequence) } = options
  const isRemote = Boolean(env.SSH_CONNECTION || env.SSH_TTY)
  let isDone = false
  for (const tool of clipboardTools(env, platform)) {
    isDone = await runTool(tool, text, env)
    if (isDone) break
  }
  if (isDone && !isRemote) return 'tool'
  const sequence = osc52(text, env)
  if (sequence === undefined) return isDone ? 'tool' : 'too_long'
  write(sequence)
  return 'terminal'
}
