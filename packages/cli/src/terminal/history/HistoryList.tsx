import type { PromptHistory } from '@treeline/store'
import { Box, type Key, Text, useInput, usePaste } from 'ink'
import { useEffect, useMemo } from 'react'
import { ageText } from '../../listing/age.ts'
import { t } from '../../output/language.ts'
import { widthOf } from '../../output/table.ts'
import { Editor } from '../editor/Editor.tsx'
import { insert, press } from '../editor/press.ts'
import { useEditor } from '../editor/use-editor.ts'
import { eachKey } from '../lists/each-key.ts'
import { fitLine, glyphsFor } from '../lists/glyphs.ts'
import { moveOfKey } from '../lists/move-of-key.ts'
import { useRepaint } from '../lists/use-repaint.ts'
import { HistoryBrowser } from './history-browser.ts'

interface HistoryProps {
  readonly history: PromptHistory
  readonly cwd: string
  /** Lines that it may take, with those around the rows. */
  readonly rows: number
  readonly columns: number
  readonly isUnicode: boolean
  onPick(prompt: string): void
  onClose(): void
}

const FRAME_LINES = 3
const AGE_COLUMNS = 12

/** What was said before, newest first: type to find it, Enter to say it again. */
export function HistoryList({ history, cwd, rows, columns, isUnicode, onPick, onClose }: HistoryProps) {
  const height = Math.max(1, rows - FRAME_LINES)
  const repaint = useRepaint()
  const [query, setQuery] = useEditor()
  // Right after the start it may be opened before the history is; what was typed by then is looked for anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is taken in below, without starting anew.
  const browser = useMemo(() => {
    const made = new HistoryBrowser(history, cwd, height, repaint)
    made.search(setQuery.latest().text)
    return made
  }, [history])
  useEffect(() => () => browser.close(), [browser])
  browser.resize(height)
  const glyphs = glyphsFor(isUnicode)

  function onKey(input: string, key: Key): void {
    const move = key.ctrl && input === 'r' ? 'down' : moveOfKey(key)
    if (key.escape || (key.ctrl && input === 'c')) onClose()
    else if (move !== undefined) browser.move(move)
    else if (key.tab) browser.toggleScope()
    else if (key.return) browser.choose(onPick)
    else {
      const pressed = press(setQuery.latest(), input, key)
      if (pressed.type === 'state') setQuery(pressed.state)
      browser.search(setQuery.latest().text)
    }
    repaint()
  }
  useInput((input, key) => {
    if (key.eventType === 'release') return
    for (const one of eachKey(input, key)) onKey(one.input, one.key)
  })
  usePaste((pasted) => {
    setQuery((state) => insert(state, pasted.replace(/\s+/g, ' ')))
    browser.search(setQuery.latest().text)
  })

  const scope = browser.scope === 'project' ? t('this project') : t('all projects')
  const other = browser.scope === 'project' ? t('all projects') : t('this project')
  const keys = [
    t('{keys} move', { keys: glyphs.upDown }),
    t('Enter say it again'),
    t('Tab {scope}', { scope: other }),
    t('Esc close'),
  ]
  return (
    <Box flexDirection="column" width={columns}>
      <Text bold wrap="truncate">
        {fitLine(browser.problem ?? [t('Earlier prompts'), scope].join(glyphs.between), columns, isUnicode)}
      </Text>
      <Editor
        state={query}
        columns={columns}
        maxRows={1}
        placeholder={t('Type to search.')}
        isUnicode={isUnicode}
        prompt="/ "
      />
      {browser.found.length === 0 && !browser.isLooking ? <Text dimColor>{t('Nothing like it was said.')}</Text> : null}
      {browser.inSight.map((row) => {
        const { id, prompt, createdAt } = browser.found[row]!
        const isChosen = row === browser.list.cursor
        const start = isChosen ? glyphs.cursor : ' '.repeat(glyphs.cursor.length)
        const age = createdAt === undefined ? '' : ageText(createdAt)
        const gap = ' '.repeat(Math.max(1, AGE_COLUMNS - widthOf(age)))
        return (
          <Text key={id} wrap="truncate" inverse={isChosen}>
            {start}
            <Text dimColor={!isChosen}>{`${age}${gap}`}</Text>
            {fitLine(prompt, columns - start.length - widthOf(age) - gap.length, isUnicode)}
          </Text>
        )
      })}
      <Text dimColor wrap="truncate">
        {fitLine(keys.join(glyphs.between), columns, isUnicode)}
      </Text>
    </Box>
  )
}
