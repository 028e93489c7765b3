import { preview } from '@treeline/core'
import { nearest } from '../../args/nearest.ts'
import { t } from '../../output/language.ts'
import type { ChatActions } from '../chat-actions.ts'
import { expandTexts } from '../pasting/expand-texts.ts'
import { slashCommands } from './slash-commands.ts'
import { splitFirst } from './split-first.ts'

/** Carries out what was typed behind a slash. Never rejects: what goes wrong is shown. */
export async function runSlash(actions: ChatActions, line: string): Promise<void> {
  const [first, rest] = splitFirst(line.trim().replace(/^\//, ''))
  const command = slashCommands.find(({ name }) => name === first.toLowerCase())
  if (command === undefined) {
    actions.warn(unknownText(first))
    // It may have been meant for the model, and be long.
    if (rest !== '') actions.setEditor(line)
    return
  }
  const { signal } = actions
  try {
    await command.run(actions, await expandTexts(actions.session, rest))
  } catch (error) {
    if (signal.aborted) actions.warn(t('Cancelled.'))
    else actions.warn(error instanceof Error ? error.message : String(error))
  }
}

function unknownText(typed: string): string {
  if (typed === '') return t('Give the name of a command: /help lists them.')
  const name = preview(typed, 40)
  const near = nearest(
    typed.toLowerCase(),
    slashCommands.map((command) => command.name),
  )
  if (near === undefined) return t('There is no command /{name}. /help lists them.', { name })
  return t('There is no command /{name}. Did you mean /{near}?', { name, near })
}
