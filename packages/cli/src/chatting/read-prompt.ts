import { TreelineError } from '@treeline/core'
import type { Context } from '../context.ts'

/** The words of the command line, and behind them what comes by standard input. */
export async function readPrompt(context: Context, words: readonly string[]): Promise<string> {
  const typed = words.join(' ').trim()
  const piped = context.isPiped ? (await context.readInput()).trim() : ''
  const prompt = [typed, piped].filter((text) => text !== '').join('\n\n')
  if (prompt !== '') return prompt
  throw new TreelineError('bad_request', 'There is no prompt. Say what you want: `treeline -p "why?"`.')
}
