import { columnsOf, graphemesOf } from '@treeline/core'
import type { IndexedSession, SearchHit } from '@treeline/store'
import { Text } from 'ink'
import { ageText } from '../../listing/age.ts'
import { projectText, titleOf } from '../../listing/session-table.ts'
import { numberText } from '../../output/amount.ts'
import { t } from '../../output/language.ts'
import { snippetPieces } from '../../searching/paint-snippet.ts'
import { fitLine, type Glyphs, glyphsFor } from '../lists/glyphs.ts'
import type { HitRow, PickerRow, SessionRow } from './picker-row.ts'

interface RowLook {
  readonly isChosen: boolean
  readonly columns: number
  readonly isUnicode: boolean
  /** Of several projects: also which it is of. */
  readonly hasProject: boolean
}

const AGE_COLUMNS = 12
const PROJECT_COLUMNS = 16
const NAME_COLUMNS = 20
/** Where there is less room, only what tells one from another is shown. */
const ROOMY = 64

/** One line of the picker, never wider than the screen. */
export function SessionRowLine({ row, ...look }: RowLook & { readonly row: PickerRow }) {
  const { isChosen, isUnicode } = look
  const glyphs = glyphsFor(isUnicode)
  const time = row.type === 'session' ? row.session.lastActiveAt : row.hit.time
  return (
    <Text wrap="truncate" inverse={isChosen}>
      {isChosen ? glyphs.cursor : ' '.repeat(glyphs.cursor.length)}
      <Text dimColor={!isChosen}>{padded(fitLine(ageText(time), AGE_COLUMNS - 1, isUnicode), AGE_COLUMNS)}</Text>
      {row.type === 'session' ? <SessionText row={row} {...look} /> : <HitText row={row} {...look} />}
    </Text>
  )
}

function SessionText({ row, columns, isUnicode, hasProject, isChosen }: RowLook & { readonly row: SessionRow }) {
  const { session, stems } = row
  const right = columns < ROOMY ? '' : `  ${messagesOf(session)}${hasProject ? `  ${projectOf(session.cwd)}` : ''}`
  const stem = stemsOf(stems, glyphsFor(isUnicode))
  const room = columns - startColumns(isUnicode) - stem.length - widthOf(right)
  return (
    <>
      {stem}
      {padded(fitLine(`${marksOf(session, isUnicode)}${titleOf(session)}`, room, isUnicode), room)}
      <Text dimColor={!isChosen}>{asShown(right, isUnicode)}</Text>
    </>
  )
}

function HitText({ row, columns, isUnicode, isChosen }: RowLook & { readonly row: HitRow }) {
  const { hit } = row
  const name = fitLine(`${toolOf(hit.source)}${nameOf(hit)}`, NAME_COLUMNS, isUnicode)
  const shown = columns < ROOMY ? '' : `${padded(name, NAME_COLUMNS)}  `
  const room = columns - startColumns(isUnicode) - widthOf(shown)
  return (
    <>
      <Text dimColor={!isChosen}>{shown}</Text>
      {snippetPieces(hit.snippet, room).map(({ text, isMatch }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one line have nothing but their place.
        <Text key={i} bold={isMatch} underline={isMatch}>
          {asShown(text, isUnicode)}
        </Text>
      ))}
    </>
  )
}

function startColumns(isUnicode: boolean): number {
  return glyphsFor(isUnicode).cursor.length + AGE_COLUMNS
}

/** How a fork hangs under the session that it was taken from. */
function stemsOf(stems: readonly boolean[], { through, branch, lastBranch }: Glyphs): string {
  return stems
    .map((hasNext, i) => {
      if (i === stems.length - 1) return `${hasNext ? branch : lastBranch} `
      return hasNext ? through : '  '
    })
    .join('')
}

/** Words and a star, so that nothing hangs on a colour. */
function marksOf({ source, isPinned, isArchived, damageCount, problem }: IndexedSession, isUnicode: boolean): string {
  const damage = problem !== undefined ? `[${t('unreadable')}] ` : damageCount > 0 ? `[${t('damaged')}] ` : ''
  return `${isPinned ? (isUnicode ? '★ ' : '* ') : ''}${toolOf(source)}${damage}${isArchived ? `[${t('archived')}] ` : ''}`
}

function toolOf(source: string): string {
  return source === 'treeline' ? '' : `[${source}] `
}

function nameOf({ sessionName, cwd, path }: SearchHit): string {
  return sessionName?.trim() || (cwd?.split('/').at(-1) ?? path)
}

function messagesOf({ messageCount }: IndexedSession): string {
  return numberText(messageCount).padStart(5)
}

function projectOf(cwd: string | undefined): string {
  return padded(projectText(cwd, undefined, true), PROJECT_COLUMNS)
}

function asShown(text: string, isUnicode: boolean): string {
  return isUnicode ? text : text.replaceAll('…', '~')
}

function widthOf(text: string): number {
  return [...graphemesOf(text)].reduce((sum, grapheme) => sum + columnsOf(grapheme), 0)
}

function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)))
}
