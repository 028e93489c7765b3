import { preview } from '@treeline/core'
import { nearest } from '../../args/nearest.ts'
import type { ChatActions } from '../chat-actions.ts'
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
  try {
    await command.run(actions, rest)
  } catch (error) {
    actions.warn(error instanceof Error ? error.message : String(error))
  }
}

function unknownText(name: string): string {
  if (name === '') return 'Give the name of a command: /help lists them.'
  const near = nearest(
    name.toLowerCase(),
    slashCommands.map((command) => command.name),
  )
  const hint = near === undefined ? '/help lists them.' : `Did you mean /${near}?`
  return `There is no command /${preview(name, 40)}. ${hint}`
}
