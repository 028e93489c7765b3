const ESC = '\u001b'

/** Strings with all they carry, CSI, and any other sequence; in their forms of seven and eight bits. */
const STRING = `(?:${ESC}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^${ESC}\u0007\u009c]*(?:\u0007|${ESC}\\\\|\u009c)?`
const CSI = `(?:${ESC}\\[|\u009b)[0-?]*[ -/]*[@-~]?`
const OTHER = `${ESC}[ -/]*[0-~]?`
const CONTROL = '[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]'
const BIDI = '\\p{Bidi_Control}'
const ANY = new RegExp(`${STRING}|${CSI}|${OTHER}|${CONTROL}|${BIDI}|\\p{Cs}`, 'gu')

/** What the chat asks of a terminal, and nothing else. */
const OURS: readonly RegExp[] = [
  // Styles, one at a time, and colours of the text; never of what is behind it, never hidden.
  /^\[(?:0|[12347]|9|2[234579]|3[0-79]|9[0-7])m$/,
  // Moves and erasing, as frames are drawn.
  /^\[\d{0,3}[ABCDEG]$/,
  /^\[(?:(?:1;1)?H|J|[02]?K|2J|3J)$/,
  // The cursor, pastes and frames that are shown at once.
  /^\[\?(?:25|2004|2026)[hl]$/,
]

/**
 * Everything in what was sent to a terminal that does more than show text and is not of the chat's own making. The end of a
 * line is a carriage return and a line feed: a terminal makes the first of it.
 */
export function findForeignEscapes(output: string): readonly string[] {
  const found = output.match(ANY) ?? []
  const returns = output.match(/\r+(?![\r\n])/g) ?? []
  return [...found.filter((piece) => !isOurs(piece)), ...returns].map((piece) => JSON.stringify(piece))
}

function isOurs(piece: string): boolean {
  return piece.startsWith(ESC) && OURS.some((pattern) => pattern.test(piece.slice(ESC.length)))
}
