import { plainText } from '@treeline/core'
import { Box, Static, Text, useInput, usePaste, useWindowSize } from 'ink'
import { useEffect, useSyncExternalStore } from 'react'
import type { ChatController } from './chat-controller.ts'
import { DialogView } from './dialog/DialogView.tsx'
import { Editor, textColumnsOf } from './editor/Editor.tsx'
import { editorWith } from './editor/editor-state.ts'
import { useEditor } from './editor/use-editor.ts'
import { t } from './language.ts'
import { BranchList } from './lists/BranchList.tsx'
import { TreeList } from './lists/TreeList.tsx'
import { QuestionView } from './QuestionView.tsx'
import { StatusLine } from './StatusLine.tsx'
import { LiveView } from './transcript/LiveView.tsx'
import { SaidView } from './transcript/SaidView.tsx'
import { useKeys } from './use-keys.ts'

export interface AppProps {
  readonly controller: ChatController
  readonly isUnicode: boolean
  /** Earlier prompts, newest first. */
  readonly history: readonly string[]
}

export function App({ controller, isUnicode, history }: AppProps) {
  const chat = useSyncExternalStore(controller.screen.subscribe, controller.screen.getSnapshot)
  const { columns, rows } = useWindowSize()
  const [editor, setEditor] = useEditor()
  const prompt = isUnicode ? '❯ ' : '> '
  const keys = useKeys(controller, setEditor, history, textColumnsOf(columns, prompt))
  useEffect(() => {
    if (chat.draft.version > 0) setEditor(editorWith(chat.draft.text))
  }, [chat.draft, setEditor])
  const isTyping = chat.view === undefined && chat.question === undefined && chat.dialog === undefined
  useInput(keys.onKey, { isActive: chat.view === undefined && chat.dialog === undefined })
  usePaste(keys.onPaste, { isActive: isTyping })
  const { session } = controller
  const list = { session, columns, rows: Math.max(4, rows - 4), isUnicode, onClose: () => controller.closeView() }
  return (
    <>
      <Static key={chat.epoch} items={[...chat.said]}>
        {(said) => <SaidView key={said.key} said={said} columns={columns - 1} isUnicode={isUnicode} />}
      </Static>
      {chat.isBusy && chat.question === undefined && chat.dialog === undefined ? (
        <LiveView live={chat.live} columns={columns - 1} rows={Math.max(3, rows - 8)} isUnicode={isUnicode} />
      ) : null}
      {chat.question === undefined ? null : <QuestionView question={chat.question} />}
      {chat.dialog === undefined ? null : <DialogView dialog={chat.dialog} columns={columns} isUnicode={isUnicode} />}
      {chat.view === 'branch' ? <BranchList {...list} onPick={(id) => void controller.pick(id)} /> : null}
      {chat.view === 'tree' ? (
        <TreeList
          {...list}
          onPick={(id) => void controller.pick(id)}
          onMute={(id) => void controller.toggleMute(id)}
          onPrune={(id) => void controller.prune(id)}
          onUndo={() => void controller.undo()}
        />
      ) : null}
      {isTyping ? (
        <Box marginTop={1} flexDirection="column">
          {chat.queued.length === 0 ? null : (
            <Text dimColor>{plainText(t('waiting: {prompts}', { prompts: chat.queued.join(' | ') }))}</Text>
          )}
          <Editor
            state={editor}
            columns={columns}
            maxRows={Math.max(3, Math.floor(rows / 3))}
            placeholder={t('Ask something. /help shows the commands.')}
            prompt={prompt}
            isUnicode={isUnicode}
          />
        </Box>
      ) : null}
      {keys.hint === '' ? (
        <StatusLine
          status={chat.status}
          name={session.name ?? ''}
          cwd={controller.cwd}
          columns={columns}
          queued={chat.queued.length}
          isUnicode={isUnicode}
        />
      ) : (
        <Text color="yellow">{keys.hint}</Text>
      )}
    </>
  )
}
