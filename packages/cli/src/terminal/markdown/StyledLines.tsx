import { Box, Text } from 'ink'
import type { ReactNode } from 'react'
import type { StyledLine, StyledRun } from './styled-line.ts'

/** Draws rows that were laid out to the width there is. Where Ink counts a rare character as wider, it breaks the row. */
export function StyledLines({ lines }: { readonly lines: readonly StyledLine[] }): ReactNode {
  return (
    <Box flexDirection="column">
      {lines.map((line, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place alone
        <Text key={row} wrap="hard">
          {line.length === 0 ? ' ' : line.map(drawRun)}
        </Text>
      ))}
    </Box>
  )
}

function drawRun({ text, dim = false, ...style }: StyledRun, index: number): ReactNode {
  const isPlain = !dim && Object.keys(style).length === 0
  return isPlain ? (
    text
  ) : (
    <Text key={index} dimColor={dim} {...style}>
      {text}
    </Text>
  )
}
