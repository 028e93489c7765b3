import { plainText } from '@treeline/core'
import type { IndexedSession, SearchRole } from '@treeline/store'
import { Box, Text } from 'ink'
import { ageText } from '../../listing/age.ts'
import { titleOf } from '../../listing/session-table.ts'
import { bytesText } from '../../output/amount.ts'
import { entriesText } from '../../output/counted-words.ts'
import { t } from '../../output/language.ts'
import { shortId } from '../../output/short-id.ts'
import { fitLine, glyphsFor } from '../lists/glyphs.ts'
import type { PickerRow } from './picker-row.ts'
import type { ReadPreview } from './use-preview.ts'

interface SessionPreviewProps {
  readonly row: PickerRow | undefined
  readonly read: ReadPreview
  /** Always so many lines, or everything below would jump. */
  readonly lines: number
  readonly columns: number
  readonly isUnicode: boolean
}

const PATH_CHARS = 20

/** The line above, what the session is, what it is about, and what was asked first. */
export const LINES_ABOUT = 4

/** What the chosen session is, and what was said in it first and last. */
export function SessionPreview({ row, read, lines, columns, isUnicode }: SessionPreviewProps) {
  const session = row?.type === 'session' ? row.session : read.of?.session
  const { between } = glyphsFor(isUnicode)
  const about = session === undefined ? [] : aboutLines(session, between, isUnicode)
  const said = (read.of?.last ?? []).map(({ role, text }) => `${roleText(role)}: ${text}`)
  const damage = [damageOf(session), read.problem].filter((line) => line !== undefined)
  const shown = [...about, ...damage, ...said.slice(-Math.max(0, lines - 1 - about.length - damage.length))]
  return (
    <Box flexDirection="column" height={lines} width={columns}>
      <Text dimColor wrap="truncate">
        {(isUnicode ? '─' : '-').repeat(columns)}
      </Text>
      {shown.slice(0, lines - 1).map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing but their place.
        <Text key={i} wrap="truncate" bold={i === 0} dimColor={i === 1}>
          {fitLine(line, columns, isUnicode)}
        </Text>
      ))}
    </Box>
  )
}

function aboutLines(session: IndexedSession, between: string, isUnicode: boolean): readonly string[] {
  const { id, source, cwd, name, firstPrompt, entryCount, sizeBytes, lastActiveAt, createdAt } = session
  const begun = t('begun {when}', { when: ageText(createdAt) })
  const tool = source === 'treeline' ? [] : [source]
  const project = cwd === undefined ? [] : [endOf(cwd, isUnicode)]
  const facts = [...project, ageText(lastActiveAt), begun, entriesText(entryCount), bytesText(sizeBytes)]
  const first = firstPrompt?.trim() ?? ''
  return [
    [titleOf(session), ...tool, ...(id === undefined ? [] : [shortId(id)])].join(between),
    facts.join(between),
    // A session without a name goes by its first prompt, which then need not be said twice.
    ...(first === '' || !name?.trim() ? [] : [t('first: {prompt}', { prompt: first })]),
  ]
}

/** The end of a path says more than its beginning. */
function endOf(path: string, isUnicode: boolean): string {
  const shown = plainText(path)
  return shown.length <= PATH_CHARS ? shown : `${isUnicode ? '…' : '...'}${shown.slice(-PATH_CHARS)}`
}

function damageOf(session: IndexedSession | undefined): string | undefined {
  if (session === undefined) return undefined
  const { problem, damageCount: count, id } = session
  if (problem !== undefined) return t('It cannot be read: {problem}', { problem })
  if (count === 0) return undefined
  const name = id === undefined ? '' : shortId(id)
  return t('Damaged in {count} places; the rest can be read. What it is: treeline doctor {name}', { count, name })
}

function roleText(role: SearchRole): string {
  switch (role) {
    case 'user':
      return t('you')
    case 'assistant':
      return t('model')
    case 'toolResult':
      return t('tool')
    case 'bashExecution':
      return '!'
    case 'summary':
      return t('summary')
    default:
      return role
  }
}
