import { columnsOf, graphemesOf } from '@treeline/core'
import { Box, Text } from 'ink'
import { t } from '../../output/language.ts'
import { fitLine, glyphsFor } from '../lists/glyphs.ts'
import { goTo, rowsInSight } from '../lists/list-state.ts'
import { MENU_ROWS, type Menu } from './completer.ts'
import type { Offer } from './offers.ts'

interface MenuProps {
  readonly menu: Menu
  readonly columns: number
  /** Of the whole terminal. */
  readonly rows: number
  readonly isUnicode: boolean
}

/** What else stands on the screen while somebody types. */
const OTHER_ROWS = 8
const MAX_NAME_COLUMNS = 28
const INDENT = '  '

/** Below the editor, in as many rows as there are, and no more than fit. */
export function CompletionMenu({ menu, columns, rows, isUnicode }: MenuProps) {
  const { offers } = menu
  const height = Math.max(2, Math.min(MENU_ROWS, rows - OTHER_ROWS))
  const list = goTo(menu.list, menu.list.cursor, offers.length, height)
  const inSight = rowsInSight(list, offers.length, height)
  const glyphs = glyphsFor(isUnicode)
  const room = Math.max(1, columns - 1 - INDENT.length - glyphs.cursor.length)
  const hasHelp = offers.some(({ help }) => help !== undefined)
  const shown = inSight.map((row) =>
    fitName(offers[row]!, hasHelp ? Math.min(room, MAX_NAME_COLUMNS) : room, isUnicode),
  )
  const nameColumns = Math.max(0, ...shown.map(widthOf))
  if (offers.length === 0) {
    return <Text dimColor>{fitLine(`${INDENT}${t('looking …')}`, columns, isUnicode)}</Text>
  }
  return (
    <Box flexDirection="column">
      {inSight.map((row, at) => {
        const { text, help } = offers[row]!
        const isChosen = row === list.cursor
        const name = shown[at]! + ' '.repeat(nameColumns - widthOf(shown[at]!))
        return (
          <Text key={text} wrap="truncate">
            {INDENT}
            <Text
              color="cyan"
              bold={isChosen}
            >{`${isChosen ? glyphs.cursor : ' '.repeat(glyphs.cursor.length)}${name}`}</Text>
            {help === undefined ? null : (
              <Text dimColor={!isChosen}>{`  ${fitLine(help, room - nameColumns - 2, isUnicode)}`}</Text>
            )}
          </Text>
        )
      })}
    </Box>
  )
}

/** Of a path the end is told: names differ there. */
function fitName({ text, shown = text }: Offer, columns: number, isUnicode: boolean): string {
  const whole = fitLine(shown, columns, isUnicode)
  if (!shown.includes('/', 1) || widthOf(shown) <= columns) return whole
  const names = shown.split('/')
  const cut = isUnicode ? '…' : '~'
  for (let from = 1; from < names.length; from++) {
    const end = `${cut}/${names.slice(from).join('/')}`
    if (widthOf(end) <= columns) return fitLine(end, columns, isUnicode)
  }
  return whole
}

function widthOf(text: string): number {
  return [...graphemesOf(text)].reduce((sum, grapheme) => sum + columnsOf(grapheme), 0)
}
