import type { IndexedSession } from '@treeline/store'
import type { Context } from '../context.ts'
import { shellWord } from '../output/shell-word.ts'
import { paint } from '../output/style.ts'
import { wholeEnd } from '../output/whole-end.ts'
import type { NameOf } from './session-names.ts'
import { sessionTable } from './session-table.ts'

/** A page of the list, as a person sees it. */
export interface ListedSessions {
  readonly sessions: readonly IndexedSession[]
  /** What each is called, in the same order. */
  readonly names: readonly string[]
  readonly next?: string | undefined
}

/** Also the project of each, where there may be several. */
export function sessionLines(
  { out, env }: Context,
  { sessions, names, next }: ListedSessions,
  hasProject: boolean,
): readonly string[] {
  const byId = new Map(sessions.map(({ id }, at) => [id, names[at]!]))
  const nameOf: NameOf = (id) => byId.get(id)!
  const table = sessionTable(sessions, { width: out.columns, hasProject, userHome: env.HOME, nameOf })
  const more = next === undefined ? [] : [['There are more: the same with', `--after ${next}`] as const]
  const below = [...asides(sessions, nameOf), ...more].flatMap((aside) => ['', ...wholeEnd(out, ...aside)])
  return [...table, ...below.map((line) => paint('faint', line))]
}

/** What the table has no room for, and the command that tells more. */
function* asides(sessions: readonly IndexedSession[], nameOf: NameOf): Generator<readonly [string, string]> {
  // Of copies, which have one id, only a path names one.
  const isAlone = (wanted: string) => sessions.filter(({ id }) => id === wanted).length === 1
  const namedBy = ({ id, path }: IndexedSession) => shellWord(id !== undefined && isAlone(id) ? nameOf(id) : path)
  const damaged = sessions.find(({ damageCount, problem }) => damageCount > 0 || problem !== undefined)
  if (damaged !== undefined) yield ['What is the matter with a damaged one:', `treeline doctor ${namedBy(damaged)}`]
  const nameless = sessions.find(({ id }) => id === undefined)
  if (nameless !== undefined) yield ['One without an id (?) goes by its path:', `treeline tree ${namedBy(nameless)}`]
}
