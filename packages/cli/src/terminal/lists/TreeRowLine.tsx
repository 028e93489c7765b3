import { Text } from 'ink'
import { widthOf } from '../../output/table.ts'
import { fitLine, glyphsFor } from './glyphs.ts'
import type { TreeRow } from './tree-rows.ts'

interface TreeRowLineProps {
  readonly row: TreeRow
  readonly text: string
  readonly isChosen: boolean
  readonly columns: number
  readonly isUnicode: boolean
}

const WORD_COLUMNS = 10
const COLOURS: Readonly<Record<string, string>> = { user: 'cyan', assistant: 'green' }

/** Colours say again what the signs and words say. */
export function TreeRowLine({ row, text, isChosen, columns, isUnicode }: TreeRowLineProps) {
  const { cursor } = glyphsFor(isUnicode)
  const start = `${isChosen ? cursor : ' '.repeat(cursor.length)}${row.lead}`
  const word = row.word.padEnd(WORD_COLUMNS)
  const rest = fitLine(`${row.notes}${text}`, columns - widthOf(start) - word.length - 1, isUnicode)
  const colour = COLOURS[row.word]
  return (
    <Text wrap="truncate" inverse={isChosen} bold={row.isLeaf} dimColor={!isChosen && (!row.isTrunk || row.isMuted)}>
      {start}
      <Text {...(colour !== undefined && !isChosen && { color: colour })}>{word}</Text> {rest}
    </Text>
  )
}
