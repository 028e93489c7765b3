import { Box, Text } from 'ink'
import { t } from '../../output/language.ts'
import { Editor } from '../editor/Editor.tsx'
import type { EditorState } from '../editor/editor-state.ts'
import { fitLine } from '../lists/glyphs.ts'
import type { Asking } from './use-changes.ts'

interface ChangeDialogProps {
  readonly asking: Asking
  readonly editor: EditorState
  readonly columns: number
  readonly isUnicode: boolean
}

export const DIALOG_LINES = 4

/** What stands below the list while a session is to be changed. */
export function ChangeDialog({ asking, editor, columns, isUnicode }: ChangeDialogProps) {
  const isName = asking.type === 'name'
  const title = isName ? t('What is it to be called?') : t('Move this session to the trash?')
  const keys = isName
    ? t('Enter is enough, Esc goes back.')
    : t('y moves it there, any other key leaves it. treeline restore brings it back.')
  return (
    <Box marginTop={1} flexDirection="column" width={columns}>
      <Text bold color="yellow" wrap="truncate">
        {fitLine(title, columns, isUnicode)}
      </Text>
      {isName ? (
        <Editor state={editor} columns={columns} maxRows={1} prompt={isUnicode ? '❯ ' : '> '} isUnicode={isUnicode} />
      ) : (
        <Text wrap="truncate">{fitLine(asking.facts.title, columns, isUnicode)}</Text>
      )}
      <Text dimColor wrap="truncate">
        {fitLine(keys, columns, isUnicode)}
      </Text>
    </Box>
  )
}
