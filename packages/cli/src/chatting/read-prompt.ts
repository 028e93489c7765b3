import { TreelineError } from '@treeline/core'
import type { Context } from '../context.ts'
import { paint } from '../output/style.ts'

/** Says on the command line that standard input is meant, however long it takes. */
const STANDARD_INPUT = '-'
const WAIT_MS = 3_000

/**
 * The words of the command line, and behind them what comes by standard input. That may be open and silent for ever, where
 * another program starts this one: with words to go on with, nobody waits long for its beginning.
 */
export async function readPrompt(context: Context, given: readonly string[], waitMs = WAIT_MS): Promise<string> {
  const words = given.filter((word) => word !== STANDARD_INPUT)
  const typed = words.join(' ').trim()
  const isMeant = words.length < given.length
  const piped = isMeant || context.isPiped ? await readPiped(context, typed === '' || isMeant, waitMs) : ''
  const prompt = [typed, piped].filter((text) => text !== '').join('\n\n')
  if (prompt !== '') return prompt
  throw new TreelineError('bad_request', 'There is no prompt. Say what you want: `treeline -p "why?"`.')
}

async function readPiped(context: Context, isNeeded: boolean, waitMs: number): Promise<string> {
  if (isNeeded || (await context.hasInput(waitMs))) return (await context.readInput()).trim()
  const seconds = waitMs / 1000
  const advice = 'A `-` behind the prompt waits for it, `< /dev/null` says that there is none.'
  context.out.note(paint('warn', `Nothing came by standard input within ${seconds} s, so it is left out. ${advice}`))
  return ''
}
