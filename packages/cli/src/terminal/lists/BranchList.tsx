import { plainText } from '@treeline/core'
import type { Session } from '@treeline/store'
import { Box, type Key, Text, useInput } from 'ink'
import { useEffect, useMemo, useState } from 'react'
import { ageText } from '../../listing/age.ts'
import { numberText } from '../../output/amount.ts'
import { t } from '../../output/language.ts'
import { widthOf } from '../../output/table.ts'
import { eachKey } from './each-key.ts'
import { fitLine, type Glyphs, glyphsFor } from './glyphs.ts'
import { hintLine } from './hint-line.ts'
import { moveOfKey } from './move-of-key.ts'
import { PromptBrowser } from './prompt-browser.ts'
import { useFollowed } from './use-followed.ts'
import { useRepaint } from './use-repaint.ts'

type Purpose = 'branch' | 'fork'

export interface BranchListProps {
  readonly session: Session
  /** Lines that it may take, with the one above and the one below the rows. */
  readonly rows: number
  readonly columns: number
  readonly isUnicode: boolean
  /** What becomes of the one that is picked: it is said anew here, or in a new session. */
  readonly purpose?: Purpose
  onPick(nodeId: string): void
  onClose(): void
}

const FRAME_LINES = 2
const AGE_COLUMNS = 12

/** What was said, newest first: pick one to say it differently. */
export function BranchList(props: BranchListProps) {
  const { session, rows, columns, isUnicode, purpose = 'branch', onPick, onClose } = props
  const height = Math.max(1, rows - FRAME_LINES)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is taken in below, without starting anew.
  const browser = useMemo(() => new PromptBrowser(session, height), [session])
  const repaint = useRepaint()
  const [problem, setProblem] = useState<string>()
  browser.refresh()
  browser.resize(height)
  const glyphs = glyphsFor(isUnicode)

  // After every frame, because any key may bring others into sight. Nothing is missing in most.
  useEffect(() => {
    browser.readInSight().then(
      (hasRead) => hasRead && repaint(),
      (error: unknown) => setProblem(plainText(error instanceof Error ? error.message : String(error))),
    )
  })

  useFollowed(session, repaint)
  function press(input: string, key: Key): void {
    const move = moveOfKey(key)
    if (move !== undefined) browser.move(move)
    else if (key.tab) browser.toggleScope()
    else if (key.escape || (key.ctrl && input === 'c')) onClose()
    else if (key.return && browser.chosen !== undefined) onPick(browser.chosen)
  }
  useInput((input, key) => {
    if (key.eventType === 'release') return
    for (const one of eachKey(input, key)) press(one.input, one.key)
    repaint()
  })

  const { prompts, list, inSight } = browser
  return (
    <Box flexDirection="column" width={columns}>
      <Text bold wrap="truncate">
        {fitLine(problem ?? headline(browser, glyphs, purpose), columns, isUnicode)}
      </Text>
      {inSight.map((row) => {
        const { nodeId, timeMs, isTrunk } = prompts[row]!
        const isChosen = row === list.cursor
        // Of all branches, those on this one are marked as in the tree.
        const sign = browser.scope === 'trunk' ? '' : `${isTrunk ? glyphs.trunk : glyphs.other} `
        const start = `${isChosen ? glyphs.cursor : ' '.repeat(glyphs.cursor.length)}${sign}`
        const age = timeMs === undefined ? '' : ageText(new Date(timeMs).toISOString())
        const gap = ' '.repeat(Math.max(1, AGE_COLUMNS - widthOf(age)))
        const room = columns - widthOf(start) - widthOf(age) - gap.length
        const text = fitLine(browser.textOf(nodeId), room, isUnicode)
        return (
          <Text key={nodeId} wrap="truncate" inverse={isChosen}>
            {start}
            <Text dimColor={!isChosen}>{`${age}${gap}`}</Text>
            {text}
          </Text>
        )
      })}
      <Text dimColor wrap="truncate">
        {fitLine(hintLine(keysOf(browser, glyphs, purpose), glyphs.between, columns), columns, isUnicode)}
      </Text>
    </Box>
  )
}

function headline({ scope, prompts, list }: PromptBrowser, { between }: Glyphs, purpose: Purpose): string {
  const title = purpose === 'fork' ? t('Fork before') : t('Branch')
  const where = scope === 'trunk' ? t('this branch') : t('all branches')
  if (prompts.length === 0) return [title, t('nothing was said in {where}', { where })].join(between)
  const place = t('{number} of {count}', { number: numberText(list.cursor + 1), count: numberText(prompts.length) })
  return [title, where, place].join(between)
}

function keysOf({ scope }: PromptBrowser, { upDown }: Glyphs, purpose: Purpose): readonly string[] {
  const enter = purpose === 'fork' ? t('Enter say it anew in a new session') : t('Enter say it anew')
  const tab = scope === 'trunk' ? t('Tab all branches') : t('Tab this branch')
  return [enter, t('Esc close'), tab, t('{keys} move', { keys: upDown })]
}
