import { plainText } from '@treeline/core'
import { Box, Text } from 'ink'
import { layoutMarkdown } from '../markdown/layout-markdown.ts'
import { StyledLines } from '../markdown/StyledLines.tsx'
import type { Said } from './transcript.ts'

export interface SaidProps {
  readonly said: Said
  readonly columns: number
  readonly isUnicode: boolean
}

/** Of a tool's output so many lines are shown; all of it is in the session. */
const TOOL_LINES = 8

/** One thing of the transcript. Everything in it is text, whatever it says (K4). */
export function SaidView({ said, columns, isUnicode }: SaidProps) {
  switch (said.kind) {
    case 'user':
      return (
        <Box marginTop={1}>
          <Text bold color="cyan">{`${isUnicode ? '❯' : '>'} `}</Text>
          <Text>{plainText(said.text)}</Text>
        </Box>
      )
    case 'assistant':
      return (
        <Box marginTop={1} flexDirection="column">
          <StyledLines lines={layoutMarkdown(said.text, columns, { isUnicode })} />
        </Box>
      )
    case 'tool':
      return <ToolView said={said} columns={columns} isUnicode={isUnicode} />
    case 'warning':
      return <Text color="yellow">{plainText(said.text)}</Text>
    default:
      return <Text dimColor>{plainText(said.text)}</Text>
  }
}

function ToolView({ said, isUnicode }: SaidProps) {
  const lines = plainText(said.text).trimEnd().split('\n')
  const shown = lines.slice(0, TOOL_LINES)
  const left = lines.length - shown.length
  return (
    <Box flexDirection="column">
      <Text color="magenta">{`${isUnicode ? '●' : '*'} ${plainText(said.title ?? '')}`}</Text>
      <Box marginLeft={2} flexDirection="column">
        <Text dimColor>{shown.join('\n')}</Text>
        {left > 0 ? <Text dimColor>{`+ ${left} more lines`}</Text> : null}
      </Box>
    </Box>
  )
}
