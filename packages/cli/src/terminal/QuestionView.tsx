import type { ApprovalQuestion } from '@treeline/agent'
import { Box, Text, useInput } from 'ink'
import { useMemo, useState } from 'react'
import { t } from '../output/language.ts'
import { layoutQuestion } from './layout-question.ts'
import { glyphsFor } from './lists/glyphs.ts'
import { moveOfKey } from './lists/move-of-key.ts'
import { StyledLines } from './markdown/StyledLines.tsx'

interface QuestionProps {
  readonly question: ApprovalQuestion
  readonly columns: number
  readonly rows: number
  readonly isUnicode: boolean
}

/** Exactly what would run, all of it: what is longer than the screen is scrolled, nothing is left out. */
export function QuestionView({ question: { preview }, columns, rows, isUnicode }: QuestionProps) {
  const [from, setFrom] = useState(0)
  const { body, answers } = useMemo(() => layoutQuestion(preview, columns, isUnicode), [preview, columns, isUnicode])
  const room = Math.max(3, rows - answers.length - 3)
  const isLong = body.length > room
  const last = Math.max(0, body.length - room)
  const at = Math.min(from, last)
  useInput((_, key) => {
    const move = moveOfKey(key)
    if (move === undefined || key.eventType === 'release') return
    const moves = { up: at - 1, down: at + 1, pageUp: at - room, pageDown: at + room, first: 0, last }
    setFrom(Math.max(0, Math.min(last, moves[move])))
  })
  const place = { from: at + 1, to: Math.min(body.length, at + room), all: body.length }
  const { upDown } = glyphsFor(isUnicode)
  return (
    <Box marginTop={1} flexDirection="column">
      <StyledLines lines={body.slice(at, at + room)} />
      {isLong ? (
        <Text dimColor wrap="truncate">
          {t('rows {from}–{to} of {all}: {keys} PageDown show the rest', { ...place, keys: upDown })}
        </Text>
      ) : null}
      <StyledLines lines={answers} />
    </Box>
  )
}
