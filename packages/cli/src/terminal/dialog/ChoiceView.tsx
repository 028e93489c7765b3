import { plainText } from '@treeline/core'
import { Box, Text, useInput } from 'ink'
import { useState } from 'react'
import { t } from '../../output/language.ts'
import { glyphsFor } from '../lists/glyphs.ts'
import { wrapText } from '../wrap-text.ts'
import type { ChoiceQuestion } from './dialog.ts'

interface ChoiceProps {
  readonly question: ChoiceQuestion
  readonly answer: (value: string | undefined) => void
  readonly columns: number
  readonly isUnicode: boolean
}

/** One of a few: by its letter, or with the arrows and Enter. */
export function ChoiceView({ question, answer, columns, isUnicode }: ChoiceProps) {
  const { title, body, choices } = question
  const [at, setAt] = useState(0)
  const glyphs = glyphsFor(isUnicode)
  useInput((input, key) => {
    if (key.eventType === 'release') return
    if (key.escape || (key.ctrl && input === 'c')) return answer(undefined)
    if (key.upArrow) return setAt((now) => Math.max(0, now - 1))
    if (key.downArrow || key.tab) return setAt((now) => Math.min(choices.length - 1, now + 1))
    if (key.return) return answer(choices[at]?.value)
    const pressed = choices.find((choice) => choice.key === input.toLowerCase())
    if (pressed !== undefined) answer(pressed.value)
  })
  return (
    <Box marginTop={1} flexDirection="column" width={columns}>
      <Text bold color="yellow">
        {wrapText(plainText(title), columns)}
      </Text>
      {body === undefined ? null : (
        <Box marginLeft={2}>
          <Text>{wrapText(plainText(body), columns - 2)}</Text>
        </Box>
      )}
      {choices.map(({ value, key, label }, index) => (
        <Text key={value} inverse={index === at}>
          {index === at ? glyphs.cursor : ' '.repeat(glyphs.cursor.length)}
          <Text bold>{key}</Text> {plainText(label)}
        </Text>
      ))}
      <Text dimColor>{t('A letter or Enter answers, Esc goes back.')}</Text>
    </Box>
  )
}
