import type { Key } from 'ink'
import { useRef, useState } from 'react'
import type { Context } from '../../context.ts'
import { editorWith } from '../editor/editor-state.ts'
import { insert, press } from '../editor/press.ts'
import { useEditor } from '../editor/use-editor.ts'
import { refusalOf, renameSession, trashPicked } from './change-session.ts'
import { factsOf, type PickerRow, type RowFacts } from './picker-row.ts'
import type { SessionBrowser } from './session-browser.ts'

/** What the user is asked before a session is changed. */
export interface Asking {
  readonly type: 'name' | 'trash'
  readonly facts: RowFacts
}

/**
 * Renaming and trashing without leaving the picker. It takes its keys from the picker: a part of its own would only hear
 * those that come a moment after it is seen.
 */
export function useChanges(context: Context, browser: SessionBrowser) {
  const [asking, draw] = useState<Asking>()
  const latest = useRef<Asking>(undefined)
  const [editor, setEditor] = useEditor()
  const [note, setNote] = useState('')

  function ask(next: Asking | undefined): void {
    latest.current = next
    draw(next)
  }

  function begin(type: Asking['type'], row: PickerRow): void {
    const facts = factsOf(row)
    const refusal = refusalOf(facts)
    if (refusal === undefined) ask({ type, facts })
    else setNote(refusal)
    setEditor(editorWith(facts.name ?? ''))
  }

  /** What goes wrong is said; the picker goes on. */
  async function change(work: () => Promise<string>): Promise<void> {
    ask(undefined)
    try {
      setNote(await work())
    } catch (error) {
      setNote(error instanceof Error ? error.message : String(error))
    }
  }

  async function rename(facts: RowFacts, name: string): Promise<string> {
    if (name === (facts.name ?? '')) return ''
    await renameSession(context, facts, name)
    void browser.renamed(facts.path, name)
    return ''
  }

  async function trash(facts: RowFacts): Promise<string> {
    const { isGone, text } = await trashPicked(context, facts)
    if (isGone) void browser.trashed(facts.path)
    return text
  }

  function typeName(facts: RowFacts, input: string, key: Key): void {
    const pressed = press(setEditor.latest(), input, key)
    if (pressed.type === 'submit') void change(() => rename(facts, pressed.text.trim()))
    else if (pressed.type === 'state') setEditor(pressed.state)
  }

  return {
    asking,
    editor,
    note,
    clearNote: () => setNote(''),
    askName: (row: PickerRow) => begin('name', row),
    askTrash: (row: PickerRow) => begin('trash', row),
    /** False when nothing is asked: the key is for the list. */
    press(input: string, key: Key): boolean {
      const now = latest.current
      if (now === undefined) return false
      if (key.escape || (key.ctrl && input === 'c')) ask(undefined)
      else if (now.type === 'name') typeName(now.facts, input, key)
      else if (input.toLowerCase() === 'y') void change(() => trash(now.facts))
      else ask(undefined)
      return true
    },
    /** The same for a paste. */
    paste(text: string): boolean {
      if (latest.current?.type === 'name') setEditor((state) => insert(state, text.replace(/\s+/g, ' ')))
      return latest.current !== undefined
    },
  }
}
