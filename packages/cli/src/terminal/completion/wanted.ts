import type { SlashCommand } from '../commands/slash-command.ts'
import { slashCommands } from '../commands/slash-commands.ts'
import { findBegunMention } from '../mentions/mention.ts'

/** What is being typed, if it is something that can be offered, and where it stands in the text. */
export type Wanted =
  | {
      readonly type: 'command'
      /** Up to the cursor. */
      readonly begun: string
      /** All of it. */
      readonly name: string
      readonly from: number
      readonly to: number
    }
  | {
      readonly type: 'argument'
      readonly command: SlashCommand
      readonly begun: string
      readonly from: number
      readonly to: number
    }
  | { readonly type: 'file'; readonly begun: string; readonly from: number; readonly to: number }

export function findWanted(text: string, cursor: number): Wanted | undefined {
  if (text.startsWith('/')) return findInCommand(text, cursor)
  // What a shell gets is not read for names.
  if (text.startsWith('!')) return undefined
  const mention = findBegunMention(text, cursor)
  return mention && { type: 'file', ...mention }
}

function findInCommand(text: string, cursor: number): Wanted | undefined {
  const typed = /^\/(\S*)/.exec(text)?.[1] ?? ''
  const name = typed.toLowerCase()
  const to = typed.length + 1
  if (cursor === 0) return undefined
  if (cursor <= to) return { type: 'command', begun: name.slice(0, cursor - 1), name, from: 0, to }
  const command = slashCommands.find((known) => known.name === name)
  // An argument is completed at its end: what is changed in its middle is known better by who changes it.
  if (command === undefined || cursor !== text.length || text.includes('\n')) return undefined
  const begun = text.slice(to).trimStart()
  return { type: 'argument', command, begun, from: text.length - begun.length, to: text.length }
}
