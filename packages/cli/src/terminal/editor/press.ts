import { plainText } from '@treeline/core'
import type { Key } from 'ink'
import type { EditorState } from './editor-state.ts'
import { erase, kill, replaceRange, undo, yank } from './edits.ts'
import { borderAfter, borderBefore, lineEnd, lineStart } from './line-borders.ts'
import { moveTo, moveVertically } from './moves.ts'
import { wordEndAfter, wordStartBefore } from './words.ts'

/** What became of a key: another state, a text that is done, or the wish for another prompt. */
export type Pressed =
  | { readonly type: 'state'; readonly state: EditorState }
  | { readonly type: 'submit'; readonly text: string }
  | { readonly type: 'history'; readonly direction: 'earlier' | 'later' }

/**
 * What a key does, by the arguments of Ink's `useInput`. Keys it does not know (Esc, Tab, Ctrl+C …) leave the very same
 * state. With `columns`, those that `layOut` gets, ↑ and ↓ go by drawn rows, without by lines.
 */
export function press(state: EditorState, input: string, key: Key, columns = Number.POSITIVE_INFINITY): Pressed {
  if (key.eventType === 'release') return changed(state)
  if (key.return) return key.shift || key.meta || key.ctrl ? changed(insert(state, '\n')) : enter(state)
  if (key.upArrow || key.downArrow) {
    const moved = moveVertically(state, key.upArrow ? -1 : 1, columns)
    return moved ? changed(moved) : { type: 'history', direction: key.upArrow ? 'earlier' : 'later' }
  }
  if (key.ctrl || key.meta || isEditingKey(key)) return changed(edit(state, input.toLowerCase(), key))
  if (key.super || key.hyper) return changed(state)
  return type(state, input)
}

/** Puts text at the cursor, without what cannot be shown (K4). */
export function insert(state: EditorState, text: string): EditorState {
  const piece = plainText(text)
  return replaceRange(state, state.cursor, state.cursor, piece, piece.includes('\n') ? undefined : 'typing')
}

function changed(state: EditorState): Pressed {
  return { type: 'state', state }
}

function isEditingKey(key: Key): boolean {
  return key.leftArrow || key.rightArrow || key.home || key.end || key.backspace || key.delete
}

function edit(state: EditorState, letter: string, key: Key): EditorState {
  const { text, cursor } = state
  const isByWord = key.ctrl || key.meta
  if (key.leftArrow) return moveTo(state, isByWord ? wordStartBefore(text, cursor) : borderBefore(text, cursor))
  if (key.rightArrow) return moveTo(state, isByWord ? wordEndAfter(text, cursor) : borderAfter(text, cursor))
  if (key.home) return moveTo(state, lineStart(text, cursor))
  if (key.end) return moveTo(state, lineEnd(text, cursor))
  if (key.backspace)
    return isByWord ? kill(state, wordStartBefore(text, cursor)) : erase(state, borderBefore(text, cursor))
  if (key.delete) return isByWord ? kill(state, wordEndAfter(text, cursor)) : erase(state, borderAfter(text, cursor))
  return key.ctrl ? control(state, letter) : meta(state, letter)
}

function control(state: EditorState, letter: string): EditorState {
  const { text, cursor } = state
  switch (letter) {
    case 'a':
      return moveTo(state, lineStart(text, cursor))
    case 'd':
      return erase(state, borderAfter(text, cursor))
    case 'e':
      return moveTo(state, lineEnd(text, cursor))
    case 'j':
      return insert(state, '\n')
    // At the end of a line, and with Ctrl+U at its start, the line feed: pressing on takes away line after line.
    case 'k':
      return kill(state, Math.max(lineEnd(text, cursor), Math.min(cursor + 1, text.length)))
    case 'u':
      return kill(state, Math.min(lineStart(text, cursor), Math.max(cursor - 1, 0)))
    case 'w':
      return kill(state, wordStartBefore(text, cursor))
    case 'y':
      return yank(state)
    // Terminals name the key by its code, or by what is printed on it.
    case '_':
    case '-':
    case '/':
      return undo(state)
    default:
      return state
  }
}

/** Some terminals send Alt+B and Alt+F for Alt+← and Alt+→. */
function meta(state: EditorState, letter: string): EditorState {
  const { text, cursor } = state
  if (letter === 'b') return moveTo(state, wordStartBefore(text, cursor))
  if (letter === 'f') return moveTo(state, wordEndAfter(text, cursor))
  if (letter === 'd') return kill(state, wordEndAfter(text, cursor))
  return state
}

function enter(state: EditorState): Pressed {
  const { text, cursor } = state
  if (text[cursor - 1] !== '\\') return { type: 'submit', text }
  return changed(replaceRange(state, cursor - 1, cursor, '\n', undefined))
}

/**
 * Over a slow line several keys come at once. Control characters among them are the keys they stand for, and a carriage
 * return that ends one line of text is Enter; with more lines it was pasted where the terminal does not say so.
 */
function type(state: EditorState, input: string): Pressed {
  const isEntered = input.endsWith('\r') && !/[\r\n]/.test(input.slice(0, -1))
  let typed = state
  for (const piece of input.slice(0, isEntered ? -1 : undefined).split(/((?![\t\n\r])\p{Cc})/u)) {
    const code = piece.length === 1 ? piece.charCodeAt(0) : Number.NaN
    const isControl = code < 0x20 && !/[\t\n\r]/.test(piece)
    typed = isControl ? control(typed, String.fromCharCode(code + (code <= 26 ? 96 : 64))) : insert(typed, piece)
  }
  return isEntered ? enter(typed) : changed(typed)
}
