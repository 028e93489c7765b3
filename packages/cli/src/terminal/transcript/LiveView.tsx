import { plainText } from '@treeline/core'
import { Box, Text, useAnimation } from 'ink'
import type { Live } from '../chat-snapshot.ts'
import { layoutMarkdown } from '../markdown/layout-markdown.ts'
import { StyledLines } from '../markdown/StyledLines.tsx'

interface LiveProps {
  readonly live: Live | undefined
  readonly columns: number
  /** Of a long answer its end is shown until it is done. */
  readonly rows: number
  readonly isUnicode: boolean
}

const DOTS = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const ASCII_DOTS = ['-', '\\', '|', '/']

/** What goes on right now. */
export function LiveView({ live, columns, rows, isUnicode }: LiveProps) {
  const dots = isUnicode ? DOTS : ASCII_DOTS
  const { frame } = useAnimation({ interval: 120 })
  const dot = dots[frame % dots.length]
  const lines = live?.text ? layoutMarkdown(live.text, columns, { isUnicode }).slice(-rows) : []
  const doing = live?.tool ?? (live?.isThinking ? 'thinking' : 'working')
  return (
    <Box marginTop={1} flexDirection="column">
      <StyledLines lines={lines} />
      {live?.output ? <Text dimColor>{plainText(live.output).trimEnd().split('\n').slice(-5).join('\n')}</Text> : null}
      <Text color="cyan">
        {dot} <Text dimColor>{`${plainText(doing)} (Esc cancels)`}</Text>
      </Text>
    </Box>
  )
}
