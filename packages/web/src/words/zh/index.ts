import { chat } from './chat.ts'
import { compare } from './compare.ts'
import { line } from './line.ts'
import { problems } from './problems.ts'
import { sessions } from './sessions.ts'
import { shell } from './shell.ts'
import { tree } from './tree.ts'

/** Simplified Chinese, by the English text. */
export const zh: Readonly<Record<string, string>> = {
  ...sessions,
  ...line,
  ...compare,
  ...chat,
  ...shell,
  ...tree,
  ...problems,
}
