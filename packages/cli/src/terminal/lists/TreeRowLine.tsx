import { Text } from 'ink'
import { widthOf } from '../../output/table.ts'
import { entryWord } from '../entry-word.ts'
import { foundPieces } from './found-pieces.ts'
import { fitLine, glyphsFor } from './glyphs.ts'
import type { TreeRow } from './tree-rows.ts'

interface TreeRowLineProps {
  readonly row: TreeRow
  readonly text: string
  /** What is searched for. */
  readonly words: readonly string[]
  readonly isChosen: boolean
  readonly columns: number
  readonly isUnicode: boolean
}

const WORD_COLUMNS = 10
const COLOURS: Readonly<Record<string, string>> = { user: 'cyan', assistant: 'green' }

/** Colours say again what the signs and words say. */
export function TreeRowLine({ row, text, words, isChosen, columns, isUnicode }: TreeRowLineProps) {
  const { cursor } = glyphsFor(isUnicode)
  const start = `${isChosen ? cursor : ' '.repeat(cursor.length)}${row.lead}`
  const name = entryWord(row.word)
  const word = name + ' '.repeat(Math.max(0, WORD_COLUMNS - widthOf(name)))
  const rest = fitLine(`${row.notes}${text}`, columns - widthOf(start) - widthOf(word) - 1, isUnicode)
  const colour = COLOURS[row.word]
  return (
    <Text wrap="truncate" inverse={isChosen} bold={row.isLeaf} dimColor={!isChosen && (!row.isTrunk || row.isMuted)}>
      {start}
      <Text {...(colour !== undefined && !isChosen && { color: colour })}>{word}</Text>{' '}
      {foundPieces(rest, words).map((piece, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name, and the line is drawn as one.
        <Text key={i} underline={piece.isFound} bold={row.isLeaf || piece.isFound}>
          {piece.text}
        </Text>
      ))}
    </Text>
  )
}
