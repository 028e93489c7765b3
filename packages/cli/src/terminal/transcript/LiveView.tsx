import { plainText } from '@treeline/core'
import { Box, Text, useAnimation } from 'ink'
import { useMemo, useState } from 'react'
import { t, toAscii } from '../../output/language.ts'
import type { Live } from '../chat-snapshot.ts'
import { fitLine } from '../lists/glyphs.ts'
import { cleanLines } from '../markdown/clean-lines.ts'
import { layoutMarkdown } from '../markdown/layout-markdown.ts'
import { StyledLines } from '../markdown/StyledLines.tsx'
import type { StyledLine } from '../markdown/styled-line.ts'
import { fillRuns } from '../markdown/wrap-runs.ts'
import { liveTail } from './live-tail.ts'

interface LiveProps {
  readonly live: Live | undefined
  readonly sinceMs: number
  readonly columns: number
  /** Of a long answer its end is shown until it is done. */
  readonly rows: number
  readonly isUnicode: boolean
}

const DOTS = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const ASCII_DOTS = ['-', '\\', '|', '/']
const OUTPUT_ROWS = 5
/** Who waits shorter does not wonder. */
const TOLD_AFTER_MS = 3_000
const CHARS_PER_TOKEN = 4

/** What goes on right now. */
export function LiveView({ live, sinceMs, columns, rows, isUnicode }: LiveProps) {
  const dots = isUnicode ? DOTS : ASCII_DOTS
  const { frame } = useAnimation({ interval: 120 })
  const [tailOf] = useState(liveTail)
  const { text = '', thoughts = '', output = '', isThinking = false } = live ?? {}
  const lines = useMemo(() => {
    if (text === '') return []
    return layoutMarkdown(tailOf(text, columns * rows), columns, { isUnicode }).slice(-rows)
  }, [tailOf, text, columns, rows, isUnicode])
  const faint = useMemo(
    () => lastRows(isThinking ? thoughts : output, columns),
    [isThinking, thoughts, output, columns],
  )
  const doing = fitLine(`${doingText(live, isUnicode)}${elapsedText(live, sinceMs)}`, columns - 16, isUnicode)
  return (
    <Box marginTop={1} flexDirection="column">
      <StyledLines lines={lines} />
      <StyledLines lines={faint} />
      <Text color="cyan" wrap="truncate">
        {dots[frame % dots.length]} <Text dimColor>{`${doing} ${t('(Esc cancels)')}`}</Text>
      </Text>
    </Box>
  )
}

function lastRows(text: string, columns: number): readonly StyledLine[] {
  const shown = cleanLines(text).trimEnd()
  if (shown === '') return []
  const lines = shown.split('\n').slice(-OUTPUT_ROWS)
  return lines.flatMap((line) => fillRuns([{ text: line, dim: true }], columns)).slice(-OUTPUT_ROWS)
}

function doingText(live: Live | undefined, isUnicode: boolean): string {
  if (live?.tool !== undefined) return isUnicode ? plainText(live.tool) : toAscii(plainText(live.tool))
  return live?.isThinking ? t('thinking') : t('working')
}

/** How long it takes already, and about how much has come. */
function elapsedText(live: Live | undefined, sinceMs: number): string {
  const elapsedMs = Date.now() - sinceMs
  if (elapsedMs < TOLD_AFTER_MS) return ''
  const seconds = Math.floor(elapsedMs / 1000)
  const time = seconds < 60 ? t('{seconds} s', { seconds }) : t('{minutes} min {seconds} s', inMinutes(seconds))
  const tokens = Math.round((live?.text.length ?? 0) / CHARS_PER_TOKEN)
  return tokens === 0 ? ` ${time}` : ` ${time}${t(', ')}${t('about {tokens} tokens', { tokens })}`
}

function inMinutes(seconds: number): { readonly minutes: number; readonly seconds: number } {
  return { minutes: Math.floor(seconds / 60), seconds: seconds % 60 }
}
