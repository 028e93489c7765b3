import { plainText } from '@treeline/core'
import type { PromptHistory } from '@treeline/store'
import { Box, Static, Text, useInput, usePaste, useWindowSize } from 'ink'
import { useSyncExternalStore } from 'react'
import { t } from '../output/language.ts'
import { shortId } from '../output/short-id.ts'
import type { ChatController } from './chat-controller.ts'
import { CompletionMenu } from './completion/CompletionMenu.tsx'
import { useCompletion } from './completion/use-completion.ts'
import { DialogView } from './dialog/DialogView.tsx'
import { Editor, textColumnsOf } from './editor/Editor.tsx'
import { useDraft } from './editor/use-draft.ts'
import { useEditor } from './editor/use-editor.ts'
import { HistoryList } from './history/HistoryList.tsx'
import { BranchList } from './lists/BranchList.tsx'
import { TreeList } from './lists/TreeList.tsx'
import { SessionPicker } from './picker/SessionPicker.tsx'
import { QuestionView } from './QuestionView.tsx'
import { StatusLine } from './StatusLine.tsx'
import { LiveView } from './transcript/LiveView.tsx'
import { SaidView } from './transcript/SaidView.tsx'
import { treeCalls } from './tree-calls.ts'
import { useKeys } from './use-keys.ts'
import { useStopping } from './use-stopping.ts'

export interface AppProps {
  readonly controller: ChatController
  readonly isUnicode: boolean
  /** Earlier prompts, newest first. */
  readonly history: readonly string[]
  /** All of them. */
  readonly prompts: PromptHistory
}

export function App({ controller, isUnicode, history, prompts }: AppProps) {
  const chat = useSyncExternalStore(controller.screen.subscribe, controller.screen.getSnapshot)
  const { columns, rows } = useWindowSize()
  const [editor, setEditor] = useEditor()
  const prompt = isUnicode ? '❯ ' : '> '
  const completer = useCompletion(controller, setEditor)
  const keys = useKeys({ controller, setEditor, completer, history, columns: textColumnsOf(columns, prompt) })
  useDraft(controller.screen, setEditor, completer.forget)
  const isTyping = chat.view === undefined && chat.question === undefined && chat.dialog === undefined
  const isAsked = chat.question !== undefined || chat.dialog !== undefined
  useInput(keys.onInput, {
    isActive: (chat.view === undefined || chat.question !== undefined) && chat.dialog === undefined,
  })
  usePaste(keys.onPaste, { isActive: isTyping })
  useStopping()
  const { session } = controller
  // Nothing else takes room or keys from what is asked; the tree waits unseen.
  const view = isAsked && chat.view !== 'tree' ? undefined : chat.view
  const list = { session, columns, rows: Math.max(4, rows - 4), isUnicode, onClose: () => controller.closeView() }
  return (
    <>
      <Static key={chat.epoch} items={[...chat.said]}>
        {(said) => (
          <SaidView
            key={said.key}
            said={said}
            columns={columns - 1}
            isUnicode={isUnicode}
            isUnfolded={chat.isUnfolded}
          />
        )}
      </Static>
      {chat.isBusy && chat.question === undefined && chat.dialog === undefined && chat.view === undefined ? (
        <LiveView
          live={chat.live}
          sinceMs={chat.busySinceMs}
          columns={columns - 1}
          rows={Math.max(3, rows - 8)}
          isUnicode={isUnicode}
        />
      ) : null}
      {chat.question === undefined ? null : (
        <QuestionView question={chat.question} columns={columns} rows={rows} isUnicode={isUnicode} />
      )}
      {chat.dialog === undefined ? null : <DialogView dialog={chat.dialog} columns={columns} isUnicode={isUnicode} />}
      {view === 'branch' ? <BranchList {...list} onPick={(id) => void controller.pick(id)} /> : null}
      {view === 'fork' ? <BranchList {...list} purpose="fork" onPick={(id) => void controller.pickFork(id)} /> : null}
      {view === 'tree' ? <TreeList {...list} {...treeCalls(controller)} isHidden={isAsked} /> : null}
      {view === 'sessions' ? (
        <SessionPicker
          {...list}
          context={controller.context}
          cwd={controller.cwd}
          onPick={(picked) => void controller.resume(picked)}
        />
      ) : null}
      {view === 'history' ? (
        <HistoryList
          {...list}
          history={prompts}
          cwd={controller.cwd}
          onPick={(said) => {
            controller.closeView()
            void controller.recall(said).then((text) => controller.setEditor(text))
          }}
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
          {completer.menu === undefined ? null : (
            <CompletionMenu menu={completer.menu} columns={columns} rows={rows} isUnicode={isUnicode} />
          )}
        </Box>
      ) : null}
      {keys.hint === '' ? (
        <StatusLine
          status={chat.status}
          name={session.name ?? shortId(session.id)}
          cwd={controller.cwd}
          columns={columns}
          userHome={controller.context.env.HOME}
          queued={chat.queued.length}
          isUnicode={isUnicode}
        />
      ) : (
        <Text color="yellow">{plainText(keys.hint)}</Text>
      )}
    </>
  )
}
