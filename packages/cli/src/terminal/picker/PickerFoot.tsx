import { Text } from 'ink'
import { fitLine } from '../lists/glyphs.ts'

interface PickerFootProps {
  /** What became of the last key; it takes the place of the first line. */
  readonly note: string
  readonly keys: readonly string[]
  readonly columns: number
  readonly isUnicode: boolean
}

export function PickerFoot({ note, keys, columns, isUnicode }: PickerFootProps) {
  const lines = note === '' ? keys : keys.slice(1)
  return (
    <>
      {note === '' ? null : (
        <Text color="yellow" wrap="truncate">
          {fitLine(note, columns, isUnicode)}
        </Text>
      )}
      {lines.map((line) => (
        <Text key={line} dimColor wrap="truncate">
          {fitLine(line, columns, isUnicode)}
        </Text>
      ))}
    </>
  )
}
