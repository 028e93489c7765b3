import { plainText } from '@treeline/core'
import { useEffect } from 'react'
import type { ChatScreen } from '../chat-screen.ts'
import type { Draft } from '../chat-snapshot.ts'
import type { EditorState } from './editor-state.ts'
import { replaceRange } from './edits.ts'
import type { SetEditor } from './use-editor.ts'

/** Puts what the chat has for the editor into it, each as it comes: of two between two frames none is lost. */
export function useDraft(screen: ChatScreen, setEditor: SetEditor, onPut: () => void): void {
  useEffect(() => {
    let taken = 0
    const take = (): void => {
      const { draft } = screen.getSnapshot()
      if (draft.version === taken) return
      taken = draft.version
      setEditor((state) => putDraft(state, draft))
      onPut()
    }
    take()
    return screen.subscribe(take)
  }, [screen, setEditor, onPut])
}

/** Undo brings back what stood there. What could not be sent goes before what was begun since. */
function putDraft(state: EditorState, { text, isAdded }: Draft): EditorState {
  const begun = isAdded && state.text.trim() !== '' ? `\n${state.text}` : ''
  return replaceRange(state, 0, state.text.length, `${plainText(text)}${begun}`, undefined)
}
