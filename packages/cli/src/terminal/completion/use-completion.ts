import { useEffect, useState } from 'react'
import type { ChatController } from '../chat-controller.ts'
import type { EditorState } from '../editor/editor-state.ts'
import { replaceRange } from '../editor/edits.ts'
import type { SetEditor } from '../editor/use-editor.ts'
import { useRepaint } from '../lists/use-repaint.ts'
import { ProjectFiles } from '../mentions/project-files.ts'
import { Completer, type Taken } from './completer.ts'

/** The menu of an editor: what is chosen there is written here. */
export function useCompletion(controller: ChatController, setEditor: SetEditor): Completer {
  const repaint = useRepaint()
  const [{ files, completer }] = useState(() => {
    const files = new ProjectFiles(controller.cwd)
    const onTaken = (taken: Taken): void => {
      setEditor((state) => putTaken(state, taken))
      const { text, cursor } = setEditor.latest()
      if (taken.offer.isOpen) completer.update(text, cursor)
    }
    const completer = new Completer({ actions: controller, files, onChange: repaint, onTaken })
    return { files, completer }
  })
  useEffect(() => () => files.close(), [files])
  return completer
}

function putTaken(state: EditorState, { from, to, offer: { text, tail } }: Taken): EditorState {
  const isFollowed = /^\s/.test(state.text.slice(to))
  return replaceRange(state, from, to, isFollowed ? text : `${text}${tail}`, undefined)
}
