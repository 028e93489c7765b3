import { basename } from 'node:path'
import { previewColumns } from '@treeline/core'
import type { IndexedSession } from '@treeline/store'
import { numberText } from '../output/amount.ts'
import { type Column, table } from '../output/table.ts'
import { costText } from '../stats/figures.ts'
import { ageText } from './age.ts'
import type { NameOf } from './session-names.ts'

export interface SessionTableOptions {
  readonly width: number
  /** Also the project of each, for lists of several. */
  readonly hasProject: boolean
  readonly userHome: string | undefined
  readonly nameOf: NameOf
}

const WIDE = 100
const MAX_PROJECT = 24
const NARROW_PROJECT = 16

/** One line per session, no wider than the terminal. */
export function* sessionTable(
  sessions: readonly IndexedSession[],
  { width, hasProject, userHome, nameOf }: SessionTableOptions,
): Generator<string> {
  const hasCost = width >= WIDE && sessions.some(({ usage }) => usage.cost > 0)
  const columns: Column[] = [
    { title: 'id', style: 'id' },
    { title: 'tool', spare: 3 },
    { title: 'active', spare: 1 },
    { title: 'session', flexible: true },
    ...(hasProject ? [{ title: 'project', style: 'faint', spare: 2 } as const] : []),
    { title: 'msgs', align: 'right', spare: 4 },
    { title: 'branches', align: 'right', spare: 5 },
    ...(hasCost ? [{ title: 'cost', align: 'right', spare: 6 } as const] : []),
  ]
  const rows = sessions.map((session) => [
    nameOf(session.id),
    session.source,
    ageText(session.lastActiveAt),
    `${marksOf(session)}${titleOf(session)}`,
    ...(hasProject ? [projectText(session.cwd, userHome, width < WIDE)] : []),
    numberText(session.messageCount),
    numberText(session.branchCount),
    ...(hasCost ? [costText(session.usage.cost)] : []),
  ])
  yield* table(columns, rows, width)
}

/** As a person recognises it. */
export function titleOf({ name, firstPrompt, problem, path }: IndexedSession): string {
  return name?.trim() || firstPrompt?.trim() || problem || basename(path)
}

/** Words and a star, so that nothing hangs on a colour. */
function marksOf({ isPinned, isArchived, damageCount, problem }: IndexedSession): string {
  const damage = problem !== undefined ? '[unreadable] ' : damageCount > 0 ? '[damaged] ' : ''
  return `${isPinned ? '★ ' : ''}${damage}${isArchived ? '[archived] ' : ''}`
}

/** The end of a path says more than its beginning; where there is little room, its last part. */
export function projectText(cwd: string | undefined, userHome: string | undefined, isNarrow = false): string {
  if (cwd === undefined) return '?'
  if (isNarrow) return previewColumns(basename(cwd) || cwd, NARROW_PROJECT)
  const shown = userHome !== undefined && cwd.startsWith(`${userHome}/`) ? `~${cwd.slice(userHome.length)}` : cwd
  return shown.length <= MAX_PROJECT ? shown : `…${shown.slice(1 - MAX_PROJECT)}`
}
