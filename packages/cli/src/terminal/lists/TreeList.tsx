import type { Session } from '@treeline/store'
import { Box, Text, useInput } from 'ink'
import { useMemo, useRef } from 'react'
import { t } from '../../output/language.ts'
import { LineView } from '../dialog/LineView.tsx'
import { eachKey } from './each-key.ts'
import { fitLine, glyphsFor } from './glyphs.ts'
import { rowsInSight } from './list-state.ts'
import { wordsOf } from './search-rows.ts'
import { TreeRowLine } from './TreeRowLine.tsx'
import { TreeBrowser } from './tree-browser.ts'
import { pressTreeKey, type TreeCalls } from './tree-keys.ts'
import { describeRow } from './tree-rows.ts'
import { treeHeadline, treeHints } from './tree-words.ts'
import { useFollowed } from './use-followed.ts'
import { useLabelling } from './use-labelling.ts'
import { useRepaint } from './use-repaint.ts'
import { useTold } from './use-told.ts'
import { useTreePreviews } from './use-tree-previews.ts'

export interface TreeListProps extends TreeCalls {
  readonly session: Session
  /** Lines that it may take, with those above and below the rows. */
  readonly rows: number
  readonly columns: number
  readonly isUnicode: boolean
  /** Something else is asked meanwhile: the list waits unseen and is as it was afterwards. */
  readonly isHidden?: boolean
}

/** The line that asks for a label, with a blank one above it. */
const LABEL_LINES = 4

/** The whole tree: look, search, change, pick where to go on. */
export function TreeList({ session, rows, columns, isUnicode, isHidden = false, ...calls }: TreeListProps) {
  const glyphs = glyphsFor(isUnicode)
  const repaint = useRepaint()
  const isEdited = useRef(false)
  const { told, tell } = useTold()
  const labelling = useLabelling(session)
  const hints = treeHints(glyphs, columns, rows)
  const height = Math.max(1, rows - 1 - (labelling.asked === undefined ? hints.length : LABEL_LINES))
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is taken in below, without starting anew.
  const browser = useMemo(() => new TreeBrowser(session, height), [session])
  browser.refresh()
  browser.resize(height)
  const { facts, list, length, previews } = browser
  const shown = rowsInSight(list, length, height).map((index) => ({
    index,
    row: describeRow(facts, browser.rowAt(index), glyphs, Math.floor(columns / 3)),
  }))
  const problem = useTreePreviews(browser, repaint)

  useFollowed(session, repaint)
  const keyCalls = {
    ...editing(calls, () => {
      isEdited.current = true
    }),
    onChoose: (nodeId: string) => calls.onPick(nodeId, isEdited.current),
    onCopy: calls.onCopy,
    onAskLabel: labelling.ask,
    onLeave: () => calls.onClose(isEdited.current),
  }
  useInput(
    (input, key) => {
      if (key.eventType === 'release') return
      for (const one of eachKey(input, key)) tell(pressTreeKey(browser, one.input, one.key, keyCalls))
      repaint()
    },
    { isActive: !isHidden && labelling.asked === undefined },
  )
  if (isHidden) return null

  function answerLabel(label: string | undefined): void {
    const { asked } = labelling
    labelling.end()
    if (asked === undefined || label === undefined || label === asked.label) return
    isEdited.current = true
    tell(calls.onLabel(asked.nodeId, label))
  }
  const words = wordsOf(browser.query)
  return (
    <Box flexDirection="column" width={columns}>
      <Text bold wrap="truncate">
        {fitLine(problem ?? told ?? treeHeadline(browser, glyphs.between), columns, isUnicode)}
      </Text>
      {shown.map(({ index, row }) => (
        <TreeRowLine
          key={row.ref}
          row={row}
          text={previews.textOf(row.ref) ?? ''}
          words={words}
          isChosen={index === list.cursor}
          columns={columns}
          isUnicode={isUnicode}
        />
      ))}
      {labelling.asked === undefined ? (
        hints.map((line) => (
          <Text key={line} dimColor wrap="truncate">
            {fitLine(line, columns, isUnicode)}
          </Text>
        ))
      ) : (
        <LineView
          title={t('Label (empty takes it away)')}
          text={labelling.asked.label}
          answer={answerLabel}
          columns={columns}
          isUnicode={isUnicode}
        />
      )}
    </Box>
  )
}

type EditCalls = Pick<TreeCalls, 'onMute' | 'onPrune' | 'onGraft' | 'onUndo' | 'onRedo'>

/** The calls that change the tree, each noted down. */
function editing(calls: EditCalls, note: () => void): EditCalls {
  const noted =
    <A extends readonly unknown[], R>(call: (...args: A) => R) =>
    (...args: A): R => {
      note()
      return call(...args)
    }
  return {
    onMute: noted(calls.onMute),
    onPrune: noted(calls.onPrune),
    onGraft: noted(calls.onGraft),
    onUndo: noted(calls.onUndo),
    onRedo: noted(calls.onRedo),
  }
}
