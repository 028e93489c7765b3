import { setImmediate as nextTurn } from 'node:timers/promises'
import { plainText } from '@treeline/core'
import { useApp, useStdin, useStdout } from 'ink'
import { useRef } from 'react'
import type { ChatController } from '../chat-controller.ts'
import { replaceRange } from './edits.ts'
import { editElsewhere } from './external-editor.ts'
import type { SetEditor } from './use-editor.ts'

/** Hands the terminal to the user's own editor, with what stands in ours. */
export function useExternalEditor(controller: ChatController, setEditor: SetEditor): () => void {
  const { suspendTerminal } = useApp()
  const { stdin } = useStdin()
  const stdout = useStdout().stdout as NodeJS.WriteStream
  const isOpen = useRef(false)
  const open = async (): Promise<void> => {
    if (isOpen.current) return
    isOpen.current = true
    const { text } = setEditor.latest()
    const { screen } = controller
    const { said } = screen.getSnapshot()
    const { columns, rows } = stdout
    try {
      await suspendTerminal(async () => {
        // Ink stops listening but goes on reading, and half of the keys would be ours. It listens no more one turn later.
        await nextTurn()
        stdin.pause()
        const written = await editElsewhere(text, controller.context.env)
        // More than somebody edits by hand would be laid out with every key.
        const shown = plainText(await controller.recall(written))
        setEditor((state) => replaceRange(state, 0, state.text.length, shown, undefined))
      })
    } catch (error) {
      controller.warn(error instanceof Error ? error.message : String(error))
    } finally {
      isOpen.current = false
      // Ink draws its frame anew, but nothing that was to be printed above it meanwhile, and in the width of before.
      const isOld = screen.getSnapshot().said !== said || stdout.columns !== columns || stdout.rows !== rows
      if (isOld) screen.reprint()
    }
  }
  return () => void open()
}
