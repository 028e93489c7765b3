import type { Key } from 'ink'

/** As Ink tells of it. */
interface PressedKey {
  readonly input: string
  readonly key: Key
}

/**
 * Over a slow line several keys come at once, and Ink does not tell them apart unless they begin with Esc. Line ends within
 * a text were pasted: only one at its end is Enter.
 */
export function eachKey(input: string, key: Key): readonly PressedKey[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are the keys that are looked for.
  const pieces = input.split(/([\u0000-\u001f\u007f])/).filter((piece) => piece !== '')
  if (pieces.length < 2) return [{ input, key }]
  return pieces.map((piece, i) => keyOf(piece, key, i === pieces.length - 1))
}

function keyOf(piece: string, key: Key, isLast: boolean): PressedKey {
  const code = piece.length === 1 ? piece.charCodeAt(0) : Number.NaN
  if (piece === '\t') return { input: '', key: { ...key, tab: true } }
  if (piece === '\r' || piece === '\n') {
    return isLast && piece === '\r' ? { input: '', key: { ...key, return: true } } : { input: ' ', key }
  }
  if (piece === '\u007f' || piece === '\b') return { input: '', key: { ...key, backspace: true } }
  if (code >= 1 && code <= 26) return { input: String.fromCharCode(code + 96), key: { ...key, ctrl: true } }
  return { input: piece, key }
}
