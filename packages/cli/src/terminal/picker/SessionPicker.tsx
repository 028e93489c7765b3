import { Box, Text, useInput, usePaste } from 'ink'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Context } from '../../context.ts'
import { fitLine, glyphsFor } from '../lists/glyphs.ts'
import { useRepaint } from '../lists/use-repaint.ts'
import { ChangeDialog, DIALOG_LINES } from './ChangeDialog.tsx'
import { PickerFoot } from './PickerFoot.tsx'
import { type Picked, pickedOf } from './picker-row.ts'
import { emptyText, headline, keyLines } from './picker-texts.ts'
import { LINES_ABOUT, SessionPreview } from './SessionPreview.tsx'
import { SessionRowLine } from './SessionRowLine.tsx'
import { SessionBrowser } from './session-browser.ts'
import { pressSessionKey, typeInto } from './session-keys.ts'
import { type Asking, useChanges } from './use-changes.ts'
import { usePreview } from './use-preview.ts'

export interface SessionPickerProps {
  readonly context: Context
  /** The project one is in. */
  readonly cwd: string
  /** Lines that it may take. */
  readonly rows: number
  readonly columns: number
  readonly isUnicode: boolean
  onPick(picked: Picked): void
  onClose(): void
}

/** From so many on there is room for a preview. */
const ROWS_FOR_PREVIEW = 20
const PREVIEW_LINES = 8
const LEAST_PREVIEW_LINES = LINES_ABOUT
/** In a lower window rows are worth more than a second line of keys. */
const ROWS_FOR_MORE_KEYS = 10

/** All sessions: look, search, pick one to go on with. */
export function SessionPicker({ context, cwd, rows, columns, isUnicode, onPick, onClose }: SessionPickerProps) {
  const repaint = useRepaint()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is taken in below, without starting anew.
  const browser = useMemo(() => {
    return new SessionBrowser({ index: () => context.index(), cwd, height: rows, onNews: repaint })
  }, [context, cwd])
  useEffect(() => {
    browser.start()
    return () => browser.close()
  }, [browser])
  const isPicking = useRef(false)
  const [wantsPreview, setPreview] = useState<boolean>()
  const changes = useChanges(context, browser)
  const sizes = sizesOf(rows, wantsPreview ?? rows >= ROWS_FOR_PREVIEW, changes.asking)
  browser.resize(sizes.height)
  const glyphs = glyphsFor(isUnicode)
  const read = usePreview(context, browser.chosen, sizes.preview - LINES_ABOUT)

  const calls = {
    onPick: () => {
      isPicking.current = true
    },
    onRename: changes.askName,
    onTrash: changes.askTrash,
    onPreview: () => setPreview(sizes.preview === 0),
    onClose,
  }
  // Who presses Enter right behind the last letter means what will be found, and not what stands there still.
  useEffect(() => {
    if (!isPicking.current || browser.isReading) return
    isPicking.current = false
    if (browser.chosen !== undefined) onPick(pickedOf(browser.chosen))
  })
  useInput((input, key) => {
    if (key.eventType === 'release' || changes.press(input, key)) return
    isPicking.current = false
    changes.clearNote()
    pressSessionKey(browser, input, key, calls)
    repaint()
  })
  usePaste((text) => {
    if (changes.paste(text)) return
    typeInto(browser, text.replace(/\s+/g, ' '))
    repaint()
  })

  const keys = keyLines(browser, glyphs, rows >= ROWS_FOR_MORE_KEYS)
  const empty = browser.rows.length === 0 ? emptyText(browser) : ''
  return (
    <Box flexDirection="column" width={columns}>
      <Text bold wrap="truncate">
        {fitLine(browser.problem ?? headline(browser, glyphs), columns, isUnicode)}
      </Text>
      <Box flexDirection="column" height={sizes.height}>
        {empty === '' ? null : <Text>{empty}</Text>}
        {browser.inSight.map((at) => (
          <SessionRowLine
            key={browser.rows[at]!.key}
            row={browser.rows[at]!}
            isChosen={at === browser.list.cursor}
            hasProject={browser.scope === 'all'}
            columns={columns}
            isUnicode={isUnicode}
          />
        ))}
      </Box>
      {sizes.preview === 0 ? null : (
        <SessionPreview
          row={browser.chosen}
          read={read}
          lines={sizes.preview}
          columns={columns}
          isUnicode={isUnicode}
        />
      )}
      {changes.asking === undefined ? (
        <PickerFoot note={changes.note} keys={keys} columns={columns} isUnicode={isUnicode} />
      ) : (
        <ChangeDialog asking={changes.asking} editor={changes.editor} columns={columns} isUnicode={isUnicode} />
      )}
    </Box>
  )
}

/** How the lines are shared out: the head, the rows, the preview, and the keys or a question. */
function sizesOf(rows: number, hasPreview: boolean, asking: Asking | undefined) {
  const below = asking !== undefined ? DIALOG_LINES : rows >= ROWS_FOR_MORE_KEYS ? 2 : 1
  const left = rows - 1 - below
  const wanted = Math.min(PREVIEW_LINES, Math.floor(left / 2))
  const preview = hasPreview && asking === undefined && wanted >= LEAST_PREVIEW_LINES ? wanted : 0
  return { preview, height: Math.max(1, left - preview) }
}
