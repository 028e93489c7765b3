import type { Session } from '@treeline/store'
import { Box, Text, useInput } from 'ink'
import { useMemo } from 'react'
import { numberText } from '../../output/amount.ts'
import { fitLine, type Glyphs, glyphsFor } from './glyphs.ts'
import { rowsInSight } from './list-state.ts'
import { TreeRowLine } from './TreeRowLine.tsx'
import { TreeBrowser } from './tree-browser.ts'
import { pressTreeKey, type TreeCalls } from './tree-keys.ts'
import { describeRow } from './tree-rows.ts'
import { useFollowed } from './use-followed.ts'
import { useRepaint } from './use-repaint.ts'
import { useTreePreviews } from './use-tree-previews.ts'

export interface TreeListProps extends TreeCalls {
  readonly session: Session
  /** Lines that it may take, with those above and below the rows. */
  readonly rows: number
  readonly columns: number
  readonly isUnicode: boolean
}

/** Fits into 80 columns. */
const MORE_KEYS = 'Ctrl: T no tools, U user, L labelled, O all; Alt: M mute, P prune, U undo'
/** In a lower window rows are worth more than a second line of keys. */
const MIN_ROWS_FOR_MORE = 10

/** The whole tree: look, search, pick where to go on. */
export function TreeList({ session, rows, columns, isUnicode, ...calls }: TreeListProps) {
  const glyphs = glyphsFor(isUnicode)
  const keyLines = [keysOf(glyphs), ...(rows < MIN_ROWS_FOR_MORE ? [] : [MORE_KEYS])]
  const height = Math.max(1, rows - 1 - keyLines.length)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is taken in below, without starting anew.
  const browser = useMemo(() => new TreeBrowser(session, height), [session])
  const repaint = useRepaint()
  browser.refresh()
  browser.resize(height)
  const { facts, list, length, previews } = browser
  const shown = rowsInSight(list, length, height).map((index) => ({
    index,
    row: describeRow(facts, browser.rowAt(index), glyphs, Math.floor(columns / 3)),
  }))
  const problem = useTreePreviews(
    browser,
    shown.map(({ row }) => row.ref),
    repaint,
  )

  useFollowed(session, repaint)
  useInput((input, key) => {
    if (key.eventType === 'release') return
    const done = pressTreeKey(browser, input, key, calls)
    repaint()
    // Whether it worked or the owner had to say that it did not: the tree may be another now.
    if (done !== undefined) done.then(repaint, repaint)
  })

  return (
    <Box flexDirection="column" width={columns}>
      <Text bold wrap="truncate">
        {fitLine(problem ?? headline(browser, glyphs.between), columns, isUnicode)}
      </Text>
      {shown.map(({ index, row }) => (
        <TreeRowLine
          key={row.ref}
          row={row}
          text={previews.textOf(row.ref) ?? ''}
          isChosen={index === list.cursor}
          columns={columns}
          isUnicode={isUnicode}
        />
      ))}
      {keyLines.map((line) => (
        <Text key={line} dimColor wrap="truncate">
          {fitLine(line, columns, isUnicode)}
        </Text>
      ))}
    </Box>
  )
}

function headline(browser: TreeBrowser, between: string): string {
  const { filter, query, length, list, searched, previews } = browser
  const at = length === 0 ? 'nothing here' : `${numberText(list.cursor + 1)} of ${numberText(length)}`
  const parts = ['Tree', ...(filter === 'default' ? [] : [filter === 'labeled' ? 'labelled' : filter]), at]
  if (!browser.isSearching) return parts.join(between)
  const read = previews.countRead(searched)
  const progress = read < searched.length ? [`read ${numberText(read)} of ${numberText(searched.length)}`] : []
  return [`Search: ${query}`, ...parts.slice(1), ...progress].join(between)
}

function keysOf({ upDown, leftRight, between }: Glyphs): string {
  return [`${upDown} move`, `${leftRight} fold`, 'Enter pick', 'type to search', 'Esc close'].join(between)
}
