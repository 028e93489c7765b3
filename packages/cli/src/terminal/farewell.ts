import { resolve } from 'node:path'
import { preview } from '@treeline/core'
import type { Session } from '@treeline/store'
import { t } from '../output/language.ts'
import { shellWord } from '../output/shell-word.ts'
import { shortId } from '../output/short-id.ts'
import { costText, tokensText } from '../stats/figures.ts'
import type { Status } from './chat-snapshot.ts'

export interface FarewellFacts {
  /** What starts the program in that shell. */
  readonly command: string
  readonly session: Session
  readonly status: Status
  /** The chat's project. */
  readonly cwd: string
  /** Where the shell is that the command is pasted into. */
  readonly shellCwd: string
  /** Where the home is if not where the shell finds it by itself. */
  readonly homeOption: string | undefined
  /** Whether it is one of the home's. */
  readonly isOwn: boolean
}

const NAME_CHARS = 80

/** The last words of a chat: what is kept, what it came to, and the command that goes on with it. */
export function farewellText(facts: FarewellFacts): string {
  const { session, status } = facts
  const { name } = session
  const parts = [
    name === undefined ? t('Kept') : t('Kept: “{name}”', { name: preview(name, NAME_CHARS) }),
    shortId(session.id),
    status.tokens > 0 ? t('{count} tokens', { count: tokensText(status.tokens) }) : '',
    status.cost > 0 ? `${status.isCostPartial ? '+' : ''}${costText(status.cost)}` : '',
  ]
  const kept = parts.filter((part) => part !== '').join(t(' · '))
  return `${kept}\n${t('Go on: {command}', { command: resumeCommand(facts) })}`
}

/** Works wherever it is pasted in the shell that the chat was started from. */
function resumeCommand({ command, session, cwd, shellCwd, homeOption, isOwn }: FarewellFacts): string {
  const words = [command, ...(isOwn ? ['-r', shortId(session.id)] : ['--session', shellWord(resolve(session.path))])]
  if (cwd !== shellCwd) words.push('--cwd', shellWord(cwd))
  if (homeOption !== undefined) words.push('--home', shellWord(homeOption))
  return words.join(' ')
}
