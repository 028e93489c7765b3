import { plainText } from '@treeline/core'
import { Box, Text } from 'ink'
import { t, toAscii } from '../../output/language.ts'
import { fitLine, glyphsFor } from '../lists/glyphs.ts'
import { cleanLines } from '../markdown/clean-lines.ts'
import { layoutMarkdown } from '../markdown/layout-markdown.ts'
import { StyledLines } from '../markdown/StyledLines.tsx'
import type { StyledLine } from '../markdown/styled-line.ts'
import { wrapText } from '../wrap-text.ts'
import { FoldedText, restText } from './FoldedText.tsx'
import type { Said } from './transcript.ts'

interface SaidProps {
  readonly said: Said
  readonly columns: number
  readonly isUnicode: boolean
  /** Whether thoughts and tools' output are shown whole. */
  readonly isUnfolded: boolean
}

const OUTPUT_ROWS = 8
/** Of what was pasted more need not be seen again. */
const PROMPT_LINES = 30
/** More than a row takes. */
const BEGINNING_CHARS = 1_000
/** No model thinks more than this in one answer. */
const THOUGHT_CHARS = 200_000

/** One thing of the transcript. Everything in it is text, whatever it says (K4). */
export function SaidView({ said, columns, isUnicode, isUnfolded }: SaidProps) {
  switch (said.kind) {
    case 'user':
      return <PromptView said={said} columns={columns} isUnicode={isUnicode} isUnfolded={isUnfolded} />
    case 'assistant':
      return (
        <Box marginTop={1} flexDirection="column">
          <StyledLines lines={layoutMarkdown(said.text, columns, { isUnicode })} />
        </Box>
      )
    case 'thinking':
    case 'muted':
      return <AsideView said={said} columns={columns} isUnicode={isUnicode} isUnfolded={isUnfolded} />
    case 'summary':
      return <SummaryView said={said} columns={columns} isUnicode={isUnicode} isUnfolded={isUnfolded} />
    case 'tool':
      return <ToolView said={said} columns={columns} isUnicode={isUnicode} isUnfolded={isUnfolded} />
    case 'command':
      return (
        <Box marginTop={1}>
          <Text bold dimColor>
            {fitLine(said.text, columns, isUnicode)}
          </Text>
        </Box>
      )
    case 'warning':
      return <Text color="yellow">{wrapText(ours(said.text, isUnicode), columns)}</Text>
    default:
      return <Text dimColor>{wrapText(ours(said.text, isUnicode), columns)}</Text>
  }
}

/** What we say has signs of ours in it, whoever put it together. */
function ours(text: string, isUnicode: boolean): string {
  return isUnicode ? plainText(text) : toAscii(plainText(text))
}

function PromptView({ said, columns, isUnicode, isUnfolded }: SaidProps) {
  const lines = cleanLines(said.text).split('\n')
  const shown = lines.slice(0, isUnfolded ? lines.length : PROMPT_LINES)
  const left = lines.length - shown.length
  return (
    <Box marginTop={1} flexDirection="column">
      <Box>
        <Box flexShrink={0}>
          <Text bold color="cyan">{`${isUnicode ? '❯' : '>'} `}</Text>
        </Box>
        <Text>{shown.join('\n')}</Text>
      </Box>
      {left > 0 ? <Text dimColor>{`  ${restText(left, isUnfolded)}`}</Text> : null}
      {said.attached?.map((file) => (
        <Text key={file} dimColor>{`  ${fitLine(file, columns - 2, isUnicode)}`}</Text>
      ))}
    </Box>
  )
}

/** What is not part of the talk itself: one line until it is unfolded. */
function AsideView({ said, columns, isUnicode, isUnfolded }: SaidProps) {
  const { other } = glyphsFor(isUnicode)
  const title = fitLine(asideTitle(said, isUnfolded), columns - 2, isUnicode)
  return (
    <Box marginTop={1} flexDirection="column">
      <Text dimColor>{`${other} ${title}`}</Text>
      {isUnfolded ? <StyledLines lines={layoutThoughts(said.text, columns, isUnicode)} /> : null}
    </Box>
  )
}

function asideTitle({ kind, text }: Said, isUnfolded: boolean): string {
  const beginning = text.trim().slice(0, BEGINNING_CHARS)
  if (kind === 'muted') {
    return isUnfolded
      ? t('muted, the model does not get it:')
      : t('muted (Ctrl+O shows it): {beginning}', { beginning })
  }
  return isUnfolded ? t('thought:') : t('thought (Ctrl+O shows it): {beginning}', { beginning })
}

/** What the model gets instead of what it sums up. */
function SummaryView({ said, columns, isUnicode, isUnfolded }: SaidProps) {
  const { folded } = glyphsFor(isUnicode)
  return (
    <Box marginTop={1} flexDirection="column">
      <Text color="cyan">{`${folded} ${t('Summary: the model gets this instead of what it sums up')}`}</Text>
      <FoldedText text={said.text} columns={columns} foldedRows={OUTPUT_ROWS} isUnfolded={isUnfolded} />
    </Box>
  )
}

function layoutThoughts(text: string, columns: number, isUnicode: boolean): readonly StyledLine[] {
  const lines = layoutMarkdown(text.trim().slice(0, THOUGHT_CHARS), columns - 2, { isUnicode })
  return lines.map((line) => [{ text: '  ' }, ...line.map((run) => ({ ...run, dim: true }))])
}

function ToolView({ said, columns, isUnicode, isUnfolded }: SaidProps) {
  const { trunk } = glyphsFor(isUnicode)
  return (
    <Box flexDirection="column">
      <Text color={said.isError ? 'red' : 'magenta'}>{`${trunk} ${ours(said.title ?? '', isUnicode)}`}</Text>
      <FoldedText text={said.text} columns={columns} foldedRows={OUTPUT_ROWS} isUnfolded={isUnfolded} />
    </Box>
  )
}
