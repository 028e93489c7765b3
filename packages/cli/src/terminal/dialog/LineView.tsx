import { plainText } from '@treeline/core'
import { Box, Text, useInput, usePaste } from 'ink'
import { useState } from 'react'
import { t } from '../../output/language.ts'
import { Editor, textColumnsOf } from '../editor/Editor.tsx'
import { editorWith } from '../editor/editor-state.ts'
import { insert, press } from '../editor/press.ts'
import { useEditor } from '../editor/use-editor.ts'
import { wrapText } from '../wrap-text.ts'

interface LineProps {
  readonly title: string
  /** What stands there at first. */
  readonly text: string
  readonly answer: (text: string | undefined) => void
  readonly columns: number
  readonly isUnicode: boolean
}

const MAX_ROWS = 5

/** A few words to type. */
export function LineView({ title, text, answer, columns, isUnicode }: LineProps) {
  const [editor, setEditor] = useEditor()
  // Once: what is typed from then on is the user's.
  useState(() => setEditor(editorWith(text)))
  const prompt = isUnicode ? '❯ ' : '> '
  useInput((input, key) => {
    if (key.escape || (key.ctrl && input === 'c')) return answer(undefined)
    const pressed = press(setEditor.latest(), input, key, textColumnsOf(columns, prompt))
    if (pressed.type === 'submit') answer(pressed.text.trim())
    else if (pressed.type === 'state') setEditor(pressed.state)
  })
  usePaste((pasted) => setEditor((state) => insert(state, pasted)))
  return (
    <Box marginTop={1} flexDirection="column">
      <Text bold color="yellow">
        {wrapText(plainText(title), columns)}
      </Text>
      <Editor state={editor} columns={columns} maxRows={MAX_ROWS} prompt={prompt} isUnicode={isUnicode} />
      <Text dimColor>{t('Enter is enough, Esc goes back.')}</Text>
    </Box>
  )
}
