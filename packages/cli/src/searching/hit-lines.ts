import { previewColumns } from '@treeline/core'
import type { SearchHit, SearchRole } from '@treeline/store'
import { minuteText } from '../listing/age.ts'
import type { NameOf } from '../listing/session-names.ts'
import { t } from '../output/language.ts'
import { paint } from '../output/style.ts'
import { widthOf } from '../output/table.ts'
import { paintSnippet } from './paint-snippet.ts'

const INDENT = '      '
const MAX_TOOLS = 3
const MAX_PATH = 4096

const ROLES: Readonly<Record<SearchRole, () => string>> = {
  user: () => t('user'),
  assistant: () => t('assistant'),
  toolResult: () => t('tool result'),
  bashExecution: () => t('bash'),
  custom: () => t('custom'),
  summary: () => t('summary'),
  system: () => t('system'),
  other: () => t('other'),
}

/** Hits that follow each other in one session stand under its name. */
export function* hitLines(hits: readonly SearchHit[], width: number, nameOf: NameOf): Generator<string> {
  const byPath = namelessHits(hits)
  let before: string | undefined
  for (const hit of hits) {
    if (hit.path !== before) {
      if (before !== undefined) yield ''
      yield sessionLine(hit, byPath.has(hit.path) ? undefined : nameOf(hit.sessionId), width)
      before = hit.path
    }
    yield* nodeLines(hit, width)
    yield `${INDENT}${paintSnippet(hit.snippet, width - INDENT.length)}`
  }
}

/** The paths of sessions that no id names: they have none, or are copies, which have the same. */
export function namelessHits(hits: readonly SearchHit[]): ReadonlySet<string> {
  const pathOf = new Map<string, string>()
  const nameless = new Set<string>()
  for (const { sessionId, path } of hits) {
    const first = sessionId === undefined ? undefined : pathOf.get(sessionId)
    if (sessionId === undefined) nameless.add(path)
    else if (first === undefined) pathOf.set(sessionId, path)
    else if (first !== path) nameless.add(first).add(path)
  }
  return nameless
}

function sessionLine({ sessionName, source, cwd, path }: SearchHit, id: string | undefined, width: number): string {
  // To be typed, so all of it.
  if (id === undefined) return previewColumns(path, MAX_PATH)
  const shown = `${id}  `
  const about = [source, sessionName?.trim() || undefined, cwd].filter((part) => part !== undefined).join('  ')
  return `${paint('id', shown)}${previewColumns(about, Math.max(1, width - shown.length))}`
}

/** What is known of a node below its id, where there is no room beside it: that is to be typed, so all of it. */
function* nodeLines(
  { nodeId, role, tools, isError, isMuted, isPruned, isDeleted, time }: SearchHit,
  width: number,
): Generator<string> {
  const called = tools.slice(0, MAX_TOOLS).join(', ') + (tools.length > MAX_TOOLS ? ' …' : '')
  const state = isDeleted ? t('deleted') : isPruned ? t('in the stash') : ''
  const facts = [ROLES[role](), called, isError ? t('failed') : '', isMuted ? t('muted') : '', state]
  const when = minuteText(time)
  const id = previewColumns(nodeId, 36)
  const about = previewColumns(
    facts.filter(Boolean).join(t(' · ')),
    Math.min(44, width - INDENT.length - when.length - 2),
  )
  const told = `${paint('role', about)}  ${paint('faint', when)}`
  if (widthOf(`  ${id}  ${about}  ${when}`) <= width) yield `  ${paint('id', id)}  ${told}`
  else yield* [`  ${paint('id', id)}`, `${INDENT}${told}`]
}
