import type { ApprovalAnswer } from '@treeline/agent'
import type { Key } from 'ink'
import { useRef, useState } from 'react'
import type { ChatController } from './chat-controller.ts'
import { completeSlash } from './commands/complete-slash.ts'
import { editorWith, emptyEditor } from './editor/editor-state.ts'
import { insert, press } from './editor/press.ts'
import type { SetEditor } from './editor/use-editor.ts'
import { t } from './language.ts'

/** A second Esc or Ctrl+C within this time means it. */
const TWICE_MS = 500
const QUIT_MS = 2_000

/** What keys mean: to a question, to what runs, to the editor. */
export function useKeys(controller: ChatController, setEditor: SetEditor, history: readonly string[], columns: number) {
  const last = useRef({ escape: 0, quit: 0, recalled: -1 })
  const [hint, setHint] = useState('')
  const [sent, setSent] = useState<readonly string[]>([])
  const past = [...sent, ...history]

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
  }

  function submit(text: string): void {
    last.current.recalled = -1
    setEditor(emptyEditor)
    setSent([text, ...sent])
    void controller.submit(text)
  }

  function type(input: string, key: Key): void {
    const pressed = press(setEditor.latest(), input, key, columns)
    if (pressed.type === 'state') setEditor(pressed.state)
    else if (pressed.type === 'submit') submit(pressed.text)
    else recall(pressed.direction)
  }

  function complete(): void {
    const found = completeSlash(setEditor.latest().text)
    const [only] = found
    if (found.length === 1 && only !== undefined) setEditor(editorWith(`${only} `))
    else if (found.length > 1) setHint(found.join('  '))
  }

  function onKey(input: string, key: Key): void {
    if (hint !== '') setHint('')
    if (key.ctrl && input === 'c') onCtrlC()
    else if (controller.screen.getSnapshot().question !== undefined) answer(controller, input, key)
    // Two that come in one piece are one key with Alt to Ink.
    else if (key.escape) onEscape(key.meta)
    else if (key.tab) complete()
    else if (key.ctrl && Object.hasOwn(CHAT_KEYS, input)) CHAT_KEYS[input]!(controller)
    else if (key.ctrl && input === 'd' && setEditor.latest().text === '') controller.quit()
    else type(input, key)
  }

  function onPaste(text: string): void {
    void controller.paste(text).then((shown) => setEditor((state) => insert(state, shown)))
  }

  return { onKey, onPaste, hint }
}

/** With Ctrl, whatever stands in the editor. */
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
