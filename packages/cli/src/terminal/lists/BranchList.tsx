import { plainText } from '@treeline/core'
import type { Session } from '@treeline/store'
import { Box, Text, useInput } from 'ink'
import { useEffect, useMemo, useState } from 'react'
import { ageText } from '../../listing/age.ts'
import { numberText } from '../../output/amount.ts'
import { fitLine, type Glyphs, glyphsFor } from './glyphs.ts'
import { moveOfKey } from './move-of-key.ts'
import { PromptBrowser } from './prompt-browser.ts'
import { useRepaint } from './use-repaint.ts'

export interface BranchListProps {
  readonly session: Session
  /** Lines that it may take, with the one above and the one below the rows. */
  readonly rows: number
  readonly columns: number
  readonly isUnicode: boolean
  onPick(nodeId: string): void
  onClose(): void
}

const FRAME_LINES = 2
const AGE_COLUMNS = 12

/** What was said, newest first: pick one to say it differently. */
export function BranchList({ session, rows, columns, isUnicode, onPick, onClose }: BranchListProps) {
  const height = Math.max(1, rows - FRAME_LINES)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height is taken in below, without starting anew.
  const browser = useMemo(() => new PromptBrowser(session, height), [session])
  const repaint = useRepaint()
  const [problem, setProblem] = useState<string>()
  browser.resize(height)
  const glyphs = glyphsFor(isUnicode)

  // After every frame, because any key may bring others into sight. Nothing is missing in most.
  useEffect(() => {
    browser.readInSight().then(
      (hasRead) => hasRead && repaint(),
      (error: unknown) => setProblem(plainText(error instanceof Error ? error.message : String(error))),
    )
  })

  useInput((_, key) => {
    if (key.eventType === 'release') return
    const move = moveOfKey(key)
    if (move !== undefined) browser.move(move)
    else if (key.tab) browser.toggleScope()
    else if (key.escape) return onClose()
    else if (key.return) return browser.chosen === undefined ? undefined : onPick(browser.chosen)
    repaint()
  })

  const { prompts, list, inSight } = browser
  return (
    <Box flexDirection="column" width={columns}>
      <Text bold wrap="truncate">
        {fitLine(problem ?? headline(browser, glyphs), columns, isUnicode)}
      </Text>
      {inSight.map((row) => {
        const { nodeId, timeMs } = prompts[row]!
        const isChosen = row === list.cursor
        const start = isChosen ? glyphs.cursor : ' '.repeat(glyphs.cursor.length)
        const text = fitLine(browser.textOf(nodeId), columns - start.length - AGE_COLUMNS, isUnicode)
        return (
          <Text key={nodeId} wrap="truncate" inverse={isChosen}>
            {start}
            <Text dimColor={!isChosen}>{ageOf(timeMs).padEnd(AGE_COLUMNS)}</Text>
            {text}
          </Text>
        )
      })}
      <Text dimColor wrap="truncate">
        {fitLine(keysOf(browser, glyphs), columns, isUnicode)}
      </Text>
    </Box>
  )
}

function headline({ scope, prompts, list }: PromptBrowser, { between }: Glyphs): string {
  const where = scope === 'trunk' ? 'this branch' : 'all branches'
  if (prompts.length === 0) return `Branch${between}nothing was said in ${where}`
  return ['Branch', where, `${numberText(list.cursor + 1)} of ${numberText(prompts.length)}`].join(between)
}

function keysOf({ scope }: PromptBrowser, { upDown, between }: Glyphs): string {
  const other = scope === 'trunk' ? 'all branches' : 'this branch'
  return [`${upDown} move`, 'Enter say it anew', `Tab ${other}`, 'Esc close'].join(between)
}

function ageOf(timeMs: number | undefined): string {
  return timeMs === undefined ? '' : ageText(new Date(timeMs).toISOString())
}
