import { Text } from 'ink'
import { toAscii } from '../output/language.ts'
import { type StatusFacts, statusParts } from './status-parts.ts'

interface StatusProps extends StatusFacts {
  readonly columns: number
  readonly isUnicode: boolean
}

/** One line at the bottom of the screen. */
export function StatusLine({ columns, isUnicode, ...facts }: StatusProps) {
  const separator = isUnicode ? ' · ' : ' | '
  const parts = statusParts(facts, columns - (isUnicode ? 1 : 3), separator)
  return (
    <Text dimColor wrap="truncate">
      {parts.map(({ text, isWarning = false }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are known by their places alone
        <Text key={index}>
          {index === 0 ? '' : separator}
          <Text {...(isWarning && { color: 'yellow', bold: true })}>{isUnicode ? text : toAscii(text)}</Text>
        </Text>
      ))}
    </Text>
  )
}
