/** A key that Ink did not tell apart from what came with it. */
export interface Piece {
  readonly input: string
  readonly isCtrl: boolean
  readonly isTab: boolean
}

/** What the chat takes for itself, with Ctrl. The editor knows the others. */
const CHAT_LETTERS: ReadonlySet<string> = new Set(['g', 'o', 'r', 't', 'v', 'x'])
const TAB = '\t'

/**
 * Over a slow line several keys come at once. Parts those that are for the chat or its menu from what is typed; several
 * lines were pasted where the terminal does not say so, and stay whole.
 */
export function splitInput(input: string): readonly Piece[] {
  if (input.length < 2 || /[\r\n]./s.test(input)) return [textPiece(input)]
  const pieces: Piece[] = []
  let from = 0
  const endText = (at: number): void => {
    if (at > from) pieces.push(textPiece(input.slice(from, at)))
    from = at + 1
  }
  for (let at = 0; at < input.length; at++) {
    const letter = letterOf(input, at)
    const isChord = letter === 'e' && letterOf(input, at - 1) === 'x'
    const isTab = input[at] === TAB && at === input.length - 1
    if (!isTab && !isChord && !CHAT_LETTERS.has(letter)) continue
    endText(at)
    pieces.push({ input: isTab ? '' : letter, isCtrl: !isTab, isTab })
  }
  endText(input.length)
  return pieces
}

function textPiece(input: string): Piece {
  return { input, isCtrl: false, isTab: false }
}

/** Of a control character the letter that is pressed with Ctrl for it. */
function letterOf(input: string, at: number): string {
  const code = input.charCodeAt(at)
  return code >= 1 && code <= 26 ? String.fromCharCode(code + 96) : ''
}
