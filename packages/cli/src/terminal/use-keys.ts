import type { ApprovalAnswer } from '@treeline/agent'
import { type Key, useInput } from 'ink'
import { useRef, useState } from 'react'
import { t } from '../output/language.ts'
import type { ChatController } from './chat-controller.ts'
import type { Completer } from './completion/completer.ts'
import { editorWith, emptyEditor } from './editor/editor-state.ts'
import { KeyQueue } from './editor/key-queue.ts'
import { insert, press } from './editor/press.ts'
import { splitInput } from './editor/split-input.ts'
import type { SetEditor } from './editor/use-editor.ts'
import { useExternalEditor } from './editor/use-external-editor.ts'
import { Recall } from './history/recall.ts'
import { hasPlaceholder } from './pasting/remembered.ts'
import { TypingRun } from './typing-run.ts'

/** A second Esc or Ctrl+C within this time means it. */
const TWICE_MS = 500
const QUIT_MS = 2_000

/** Older ones are in the history. */
const MAX_SENT = 200

/** What was sent from here: a placeholder in it means something in that session only. */
interface Sent {
  readonly text: string
  readonly sessionId: string
}

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
  const last = useRef({ escape: 0, quit: 0, isAfterCtrlX: false })
  const [queue] = useState(() => new KeyQueue())
  const [recalling] = useState(() => new Recall())
  const [run] = useState(() => new TypingRun())
  const [hint, setHint] = useState('')
  const sent = useRef<readonly Sent[]>([])
  const editElsewhere = useExternalEditor(controller, setEditor)

  const questionNow = () => controller.screen.getSnapshot().question
  // Before all others, and whoever else takes the keys.
  useInput((_, key) => run.note(questionNow(), key.return, Date.now()))

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
    completer.forget()
    queue.drop()
    if (controller.screen.getSnapshot().isBusy) controller.cancel()
    else if (setEditor.latest().text !== '') setEditor(emptyEditor)
    else if (now - last.current.quit < QUIT_MS) controller.quit()
    else {
      last.current.quit = now
      setHint(t('Ctrl+C again leaves.'))
    }
  }

  function recall(direction: 'earlier' | 'later'): void {
    const { id } = controller.session
    const here = sent.current.filter(({ text, sessionId }) => sessionId === id || !hasPlaceholder(text))
    const past = [...here.map(({ text }) => text), ...history]
    const said = recalling.step(direction, past, setEditor.latest().text)
    if (said === undefined) return
    const put = (text: string): void => {
      setEditor(editorWith(text))
      recalling.shows(setEditor.latest().text)
      completer.forget()
    }
    queue.await(() => controller.recall(said), put, tellProblem)
  }

  function submit(text: string): void {
    recalling.end()
    setEditor(emptyEditor)
    completer.forget()
    const now = { text, sessionId: controller.session.id }
    if (text.trim() !== '') sent.current = [now, ...sent.current].slice(0, MAX_SENT)
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

  const tellProblem = (error: unknown): void => setHint(error instanceof Error ? error.message : String(error))

  /** What comes in from outside. */
  function putIn(begin: () => Promise<string>): void {
    const put = (text: string): void => {
      setEditor((state) => insert(state, text))
      const now = setEditor.latest()
      completer.update(now.text, now.cursor)
    }
    queue.await(begin, put, tellProblem)
  }

  /** With Ctrl, whatever stands in the editor. False for what the editor knows itself. */
  function isForChat(input: string): boolean {
    const isChord = last.current.isAfterCtrlX
    last.current.isAfterCtrlX = input === 'x'
    if (input === 'g' || (input === 'e' && isChord)) {
      completer.forget()
      editElsewhere()
    } else if (input === 'v') putIn(() => controller.pasteClipboard())
    else if (input === 'd' && setEditor.latest().text === '') controller.quit()
    else if (Object.hasOwn(CHAT_KEYS, input)) CHAT_KEYS[input]!(controller)
    else return false
    return true
  }

  function onInput(input: string, key: Key): void {
    if (key.eventType === 'release') return
    for (const piece of key.ctrl || key.meta ? [] : splitInput(input)) {
      inTurn(piece.input, { ...key, ctrl: piece.isCtrl, tab: key.tab || piece.isTab })
    }
    if (key.ctrl || key.meta) inTurn(input, key)
  }

  /** Those that stop something wait for nothing. */
  function inTurn(input: string, key: Key): void {
    const { isMeant } = run
    if (key.escape || (key.ctrl && input === 'c')) onKey(input, key, isMeant)
    else queue.run(() => onKey(input, key, isMeant))
  }

  /** `isMeant`: for the question that was shown when it was pressed. */
  function onKey(input: string, key: Key, isMeant: boolean): void {
    setHint('')
    if (!key.ctrl) last.current.isAfterCtrlX = false
    if (key.ctrl && input === 'c') onCtrlC()
    else if (questionNow() !== undefined) onAsked(input, key, isMeant)
    else if (isForMenu(key)) return
    // Two that come in one piece are one key with Alt to Ink.
    else if (key.escape) onEscape(key.meta)
    else if (!key.ctrl || !isForChat(input)) type(input, key)
  }

  /** What was being written when the question appeared is written on. */
  function onAsked(input: string, key: Key, isMeant: boolean): void {
    if (key.escape || isMeant) answer(controller, input, key)
    else if (!key.ctrl && setEditor.latest().text !== '') type(input, key)
  }

  const onPaste = (text: string): void => putIn(() => controller.paste(text))

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
  else if (said !== undefined && !key.ctrl && !key.meta) controller.approve(said)
}
