import { Box, Text } from 'ink'
import { t } from '../../output/language.ts'
import { StyledLines } from '../markdown/StyledLines.tsx'
import { layoutOutput } from './layout-output.ts'

interface FoldedProps {
  readonly text: string
  readonly columns: number
  /** How much is seen until it is unfolded. */
  readonly foldedRows: number
  readonly isUnfolded: boolean
}

/** More than this nobody reads in a terminal. */
const UNFOLDED_ROWS = 2_000
const INDENT = 2

/** The beginning of something long, and how to see the rest. */
export function FoldedText({ text, columns, foldedRows, isUnfolded }: FoldedProps) {
  if (text.trim() === '') return null
  const maxRows = isUnfolded ? UNFOLDED_ROWS : foldedRows
  const { rows, left } = layoutOutput(text, Math.max(1, columns - INDENT), maxRows)
  return (
    <Box marginLeft={INDENT} flexDirection="column">
      <StyledLines lines={rows} />
      {left > 0 ? <Text dimColor>{restText(left, isUnfolded)}</Text> : null}
    </Box>
  )
}

/** How much is not shown, and how to see it. */
export function restText(left: number, isUnfolded: boolean): string {
  if (isUnfolded) return t('+ {count} more lines, kept in the session: treeline show has them', { count: left })
  return left === 1
    ? t('+ 1 more line (Ctrl+O shows all)')
    : t('+ {count} more lines (Ctrl+O shows all)', { count: left })
}
