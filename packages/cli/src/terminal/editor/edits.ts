import type { Doing, EditorState } from './editor-state.ts'
import { nearestBorder } from './line-borders.ts'

const MOMENTS_KEPT = 200

/** Every change of the text goes through here: it can be undone, and the cursor ends between two characters. */
export function replaceRange(
  state: EditorState,
  from: number,
  to: number,
  piece: string,
  doing: Doing | undefined,
): EditorState {
  if (from === to && piece === '') return state
  const text = state.text.slice(0, from) + piece + state.text.slice(to)
  const moment = { text: state.text, cursor: state.cursor }
  const past = isSameStep(state, piece, doing) ? state.past : [...state.past, moment].slice(-MOMENTS_KEPT)
  const cursor = nearestBorder(text, from + piece.length)
  return { ...state, text, cursor, goalColumn: undefined, past, doing }
}

/** Typing is one step up to the beginning of the next word. */
function isSameStep(state: EditorState, piece: string, doing: Doing | undefined): boolean {
  if (doing === undefined || doing === 'killing' || doing !== state.doing) return false
  return doing === 'erasing' || !(/\s/.test(state.text[state.cursor - 1] ?? '') && /^\S/.test(piece))
}

/** Takes away what lies between the cursor and another offset. */
export function erase(state: EditorState, other: number): EditorState {
  return replaceRange(state, Math.min(other, state.cursor), Math.max(other, state.cursor), '', 'erasing')
}

/** The same, and keeps it for `yank`. Kills one after the other are kept as one piece. */
export function kill(state: EditorState, other: number): EditorState {
  const from = Math.min(other, state.cursor)
  const to = Math.max(other, state.cursor)
  if (from === to) return state
  const piece = state.text.slice(from, to)
  const earlier = state.doing === 'killing' ? state.killed : ''
  const killed = other < state.cursor ? piece + earlier : earlier + piece
  return { ...replaceRange(state, from, to, '', 'killing'), killed }
}

export function yank(state: EditorState): EditorState {
  return replaceRange(state, state.cursor, state.cursor, state.killed, undefined)
}

export function undo(state: EditorState): EditorState {
  const moment = state.past.at(-1)
  if (moment === undefined) return state
  return { ...state, ...moment, past: state.past.slice(0, -1), goalColumn: undefined, doing: undefined }
}
