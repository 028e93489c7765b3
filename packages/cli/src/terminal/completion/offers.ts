import { plainText } from '@treeline/core'
import type { ChatActions } from '../chat-actions.ts'
import { slashCommands } from '../commands/slash-commands.ts'
import { toMention } from '../mentions/mention.ts'
import type { ProjectFiles } from '../mentions/project-files.ts'
import type { Wanted } from './wanted.ts'

/** One thing that could stand instead of what was typed. */
export interface Offer {
  /** As it is put into the text. */
  readonly text: string
  /** As it is shown, if not as it is. */
  readonly shown?: string
  readonly help?: string
  /** A blank where the next word follows; nothing in the middle of a path. */
  readonly tail: '' | ' '
  /** There is more to choose behind it: a folder, a command with its argument. */
  readonly isOpen: boolean
}

/** More than these are scrolled through by nobody. */
const MAX_OFFERS = 50

/** What is known at once; a promise where it has to be looked for. */
export function offersFor(
  wanted: Wanted,
  actions: ChatActions,
  files: ProjectFiles,
  signal: AbortSignal,
): readonly Offer[] | Promise<readonly Offer[]> {
  switch (wanted.type) {
    case 'command':
      return offerCommands(wanted.begun)
    case 'argument':
      return offerArguments(wanted, actions)
    case 'file':
      return offerFiles(wanted.begun, files, signal)
  }
}

function offerCommands(begun: string): readonly Offer[] {
  return slashCommands
    .filter(({ name }) => name.startsWith(begun))
    .map(({ name, args, help }) => ({
      text: `/${name}`,
      shown: args === undefined ? `/${name}` : `/${name} ${args}`,
      help: help(),
      tail: ' ' as const,
      isOpen: true,
    }))
}

/** One to choose from a few, and what the command itself can tell. */
function offerArguments(
  { command, begun }: Extract<Wanted, { type: 'argument' }>,
  actions: ChatActions,
): readonly Offer[] | Promise<readonly Offer[]> {
  const names = command.name === 'help' ? slashCommands.map(({ name }) => name) : []
  const lower = begun.toLowerCase()
  const fixed = (command.choices ?? names).filter((choice) => choice.toLowerCase().startsWith(lower))
  if (command.complete === undefined) return toArguments(fixed, begun)
  return command.complete(actions, begun).then((found) => toArguments([...fixed, ...found], begun))
}

/** Names of sessions and branches are anybody's text: one that is not plain could not be typed (K4). */
function toArguments(found: readonly string[], begun: string): readonly Offer[] {
  const plain = [...new Set(found)].filter((text) => text !== '' && text !== begun && !/\n/.test(text))
  return plain
    .filter((text) => plainText(text) === text)
    .slice(0, MAX_OFFERS)
    .map((text) => ({ text, tail: '', isOpen: false }))
}

async function offerFiles(begun: string, files: ProjectFiles, signal: AbortSignal): Promise<readonly Offer[]> {
  const paths = await files.find(begun, MAX_OFFERS, signal)
  return paths.map((path) => {
    const isOpen = path.endsWith('/')
    return { text: toMention(path), shown: path, tail: isOpen ? '' : ' ', isOpen }
  })
}
