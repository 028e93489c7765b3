import { plainText } from '@treeline/core'
import { Box, Static, Text, useInput, usePaste, useWindowSize } from 'ink'
import { useEffect, useSyncExternalStore } from 'react'
import type { ChatController } from './chat-controller.ts'
import { Editor, textColumnsOf } from './editor/Editor.tsx'
import { editorWith } from './editor/editor-state.ts'
import { useEditor } from './editor/use-editor.ts'
import { LiveView } from './LiveView.tsx'
import { BranchList } from './lists/BranchList.tsx'
import { TreeList } from './lists/TreeList.tsx'
import { QuestionView } from './QuestionView.tsx'
import { SaidView } from './SaidView.tsx'
import { StatusLine } from './StatusLine.tsx'
import { useKeys } from './use-keys.ts'

export interface AppProps {
  readonly controller: ChatController
  readonly isUnicode: boolean
  /** Earlier prompts, newest first. */
  readonly history: readonly string[]
}

export function App({ controller, isUnicode, history }: AppProps) {
  const chat = useSyncExternalStore(controller.subscribe, controller.getSnapshot)
  const { columns, rows } = useWindowSize()
  const [editor, setEditor] = useEditor()
  const prompt = isUnicode ? '❯ ' : '> '
  const keys = useKeys(controller, setEditor, history, textColumnsOf(columns, prompt))
  useEffect(() => {
    if (chat.draft.version > 0) setEditor(editorWith(chat.draft.text))
  }, [chat.draft, setEditor])
  const isTyping = chat.view === undefined && chat.question === undefined
  useInput(keys.onKey, { isActive: chat.view === undefined })
  usePaste(keys.onPaste, { isActive: isTyping })
  const { session } = controller
  const list = { session, columns, rows: Math.max(4, rows - 4), isUnicode, onClose: () => controller.closeView() }
  return (
    <>
      <Static key={chat.epoch} items={[...chat.said]}>
        {(said) => <SaidView key={said.key} said={said} columns={columns - 1} isUnicode={isUnicode} />}
      </Static>
      {chat.isBusy && chat.question === undefined ? (
        <LiveView live={chat.live} columns={columns - 1} rows={Math.max(3, rows - 8)} isUnicode={isUnicode} />
      ) : null}
      {chat.question === undefined ? null : <QuestionView question={chat.question} />}
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
          {chat.queued.length === 0 ? null : <Text dimColor>{plainText(`waiting: ${chat.queued.join(' | ')}`)}</Text>}
          <Editor
            state={editor}
            columns={columns}
            maxRows={Math.max(3, Math.floor(rows / 3))}
            placeholder="Ask something. /help shows the commands."
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
