import type { ApprovalAnswer } from '@treeline/agent'
import type { Key } from 'ink'
import { useRef, useState } from 'react'
import type { ChatController } from './chat-controller.ts'
import type { Completer } from './completion/completer.ts'
import { editorWith, emptyEditor } from './editor/editor-state.ts'
import { insert, press } from './editor/press.ts'
import { splitInput } from './editor/split-input.ts'
import type { SetEditor } from './editor/use-editor.ts'
import { useExternalEditor } from './editor/use-external-editor.ts'
import { t } from './language.ts'

/** A second Esc or Ctrl+C within this time means it. */
const TWICE_MS = 500
const QUIT_MS = 2_000

export interface KeysParts {
  readonly controller: ChatController
  readonly setEditor: SetEditor
  readonly completer: Completer
  /** Earlier prompts, newest first. */
  readonly history: readonly string[]
  readonly columns: number
}

/** What keys mean: to a question, to the menu, to what runs, to the editor. */
export function useKeys({ controller, setEditor, completer, history, columns }: KeysParts) {
  const last = useRef({ escape: 0, quit: 0, recalled: -1, isAfterCtrlX: false })
  const [hint, setHint] = useState('')
  const [sent, setSent] = useState<readonly string[]>([])
  const past = [...sent, ...history]
  const editElsewhere = useExternalEditor(controller, setEditor)

  function onEscape(isDouble: boolean): void {
    if (controller.screen.getSnapshot().isBusy) {
      controller.cancel()
      return
    }
    const now = Date.now()
    const isTwice = isDouble || now - last.current.escape < TWICE_MS
    last.current.escape = isTwice ? 0 : now
    if (isTwice && setEditor.latest().text === '') controller.open('branch')
  }

  function onCtrlC(): void {
    const now = Date.now()
    completer.close()
    if (controller.screen.getSnapshot().isBusy) controller.cancel()
    else if (setEditor.latest().text !== '') setEditor(emptyEditor)
    else if (now - last.current.quit < QUIT_MS) controller.quit()
    else {
      last.current.quit = now
      setHint(t('Ctrl+C again leaves.'))
    }
  }

  function recall(direction: 'earlier' | 'later'): void {
    const at = last.current.recalled + (direction === 'earlier' ? 1 : -1)
    if (at < -1 || at >= past.length) return
    last.current.recalled = at
    setEditor(editorWith(past[at] ?? ''))
    completer.close()
  }

  function submit(text: string): void {
    last.current.recalled = -1
    setEditor(emptyEditor)
    completer.close()
    setSent([text, ...sent])
    void controller.submit(text)
  }

  function type(input: string, key: Key): void {
    const before = setEditor.latest()
    const pressed = press(before, input, key, columns)
    if (pressed.type === 'submit') submit(pressed.text)
    else if (pressed.type === 'history') recall(pressed.direction)
    else if (pressed.state !== before) {
      setEditor(pressed.state)
      completer.update(pressed.state.text, pressed.state.cursor)
    }
  }

  /** False where the menu has no use for the key. */
  function isForMenu(key: Key): boolean {
    if (key.ctrl || key.meta || key.shift) return false
    const { text, cursor } = setEditor.latest()
    if (key.tab) completer.tab(text, cursor)
    else if (completer.menu === undefined) return false
    else if (key.escape) completer.close()
    else if (key.upArrow || key.downArrow) completer.move(key.upArrow ? 'up' : 'down')
    else if (key.return && completer.takesEnter) completer.enter()
    else return false
    return true
  }

  /** What comes in from outside lands where the cursor is by then. */
  function putIn(coming: Promise<string>): void {
    coming.then(
      (text) => setEditor((state) => insert(state, text)),
      (error: unknown) => setHint(error instanceof Error ? error.message : String(error)),
    )
  }

  /** With Ctrl, whatever stands in the editor. False for what the editor knows itself. */
  function isForChat(input: string): boolean {
    const isChord = last.current.isAfterCtrlX
    last.current.isAfterCtrlX = input === 'x'
    if (input === 'g' || (input === 'e' && isChord)) editElsewhere()
    else if (input === 'v') putIn(controller.pasteClipboard())
    else if (input === 'd' && setEditor.latest().text === '') controller.quit()
    else if (Object.hasOwn(CHAT_KEYS, input)) CHAT_KEYS[input]!(controller)
    else return false
    return true
  }

  function onInput(input: string, key: Key): void {
    if (key.eventType === 'release') return
    for (const piece of key.ctrl || key.meta ? [] : splitInput(input)) {
      onKey(piece.input, { ...key, ctrl: piece.isCtrl, tab: key.tab || piece.isTab })
    }
    if (key.ctrl || key.meta) onKey(input, key)
  }

  function onKey(input: string, key: Key): void {
    if (hint !== '') setHint('')
    if (!key.ctrl) last.current.isAfterCtrlX = false
    if (key.ctrl && input === 'c') onCtrlC()
    else if (controller.screen.getSnapshot().question !== undefined) answer(controller, input, key)
    else if (isForMenu(key)) return
    // Two that come in one piece are one key with Alt to Ink.
    else if (key.escape) onEscape(key.meta)
    else if (!key.ctrl || !isForChat(input)) type(input, key)
  }

  const onPaste = (text: string): void => putIn(controller.paste(text))

  return { onInput, onPaste, hint }
}

const CHAT_KEYS: Readonly<Record<string, (controller: ChatController) => void>> = {
  o: (controller) => controller.toggleFold(),
  r: (controller) => controller.open('history'),
  t: (controller) => controller.open('tree'),
}

const ANSWERS: Readonly<Record<string, ApprovalAnswer>> = {
  y: { decision: 'once' },
  t: { decision: 'tool' },
  e: { decision: 'edits' },
  n: { decision: 'deny' },
}

function answer(controller: ChatController, input: string, key: Key): void {
  const said = Object.hasOwn(ANSWERS, input.toLowerCase()) ? ANSWERS[input.toLowerCase()] : undefined
  if (key.escape) controller.cancel()
  else if (said !== undefined) controller.approve(said)
}
