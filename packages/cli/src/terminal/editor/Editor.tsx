import { columnsOf, graphemesOf } from '@treeline/core'
import { Box, Text } from 'ink'
import { drawRow } from './draw-row.ts'
import type { EditorState } from './editor-state.ts'
import { layOut, windowOf } from './layout.ts'

export interface EditorProps {
  readonly state: EditorState
  readonly columns: number
  /** More rows than these are scrolled. */
  readonly maxRows: number
  /** Shown while there is no text: its first row. */
  readonly placeholder?: string
  readonly isUnicode: boolean
  readonly prompt?: string
}

/** Draws an editor; the owner hands it the keys. */
export function Editor({ state, columns, maxRows, placeholder = '', isUnicode, prompt = '> ' }: EditorProps) {
  const isEmpty = state.text === ''
  const cursor = isEmpty ? 0 : state.cursor
  const layout = layOut(isEmpty ? placeholder : state.text, cursor, textColumnsOf(columns, prompt))
  const { from, to } = windowOf(layout, isEmpty ? 1 : maxRows)
  const rows = layout.rows.slice(from, to).map((row, index) => ({ ...row, at: from + index }))
  const margin = columns - textColumnsOf(columns, prompt)
  const marginOf = (at: number) => {
    const mark = isEmpty
      ? ' '
      : scrollMark(at === from && from > 0, at === to - 1 && to < layout.rows.length, isUnicode)
    return at === 0 ? prompt : mark.padEnd(margin).slice(0, margin)
  }
  return (
    <Box flexDirection="column">
      {rows.map((row) => (
        <Text key={row.start} wrap="truncate">
          <Text color="cyan">{marginOf(row.at)}</Text>
          <Text dimColor={isEmpty}>{drawRow(row, row.at === layout.cursorRow ? cursor : undefined)}</Text>
        </Text>
      ))}
    </Box>
  )
}

/** The columns that a prompt leaves to the text: what `press` wants to know for ↑ and ↓. */
export function textColumnsOf(columns: number, prompt: string): number {
  return columns - [...graphemesOf(prompt)].reduce((sum, grapheme) => sum + columnsOf(grapheme), 0)
}

function scrollMark(isMoreAbove: boolean, isMoreBelow: boolean, isUnicode: boolean): string {
  if (isMoreAbove && isMoreBelow) return isUnicode ? '↕' : '|'
  if (isMoreAbove) return isUnicode ? '↑' : '^'
  if (isMoreBelow) return isUnicode ? '↓' : 'v'
  return ' '
}
