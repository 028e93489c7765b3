const ESC = '\u001b'
const BEL = '\u0007'
const NEXT_LINE = '\u0085'
/** `ESC [` and its one-character form, parameters, a final letter: colours, cursor moves, erasing. */
const CSI = `(?:${ESC}\\[|\u009b)[0-?]*[ -/]*[@-~]`
/** OSC, DCS, SOS, PM and APC with all they carry: titles, links, clipboard writes. */
const STRING = `(?:${ESC}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])\\P{Cc}*(?:${BEL}|${ESC}\\\\|\u009c)`
/** Any other two or three character sequence, and the start of one of the above that never ends: its text is kept. */
const OTHER = `${ESC}[ -/]*[0-~]`

const SEQUENCE = new RegExp(`${STRING}|${CSI}|${OTHER}`, 'gu')
const LINE_END = new RegExp(`\\r\\n?|${NEXT_LINE}`, 'g')
/** Characters that reorder what a reader sees; harmless ones such as U+200D, which joins emoji, are not among them. */
const BIDI = /\p{Bidi_Control}/gu
/** All of `\p{Cc}` but line feed and tab, as plain ranges: large texts are searched faster that way. */
const CONTROLS = '\u0000-\u0008\u000b-\u001f\u007f-\u009f'
const CONTROL = new RegExp(`[${CONTROLS}]`, 'g')

/**
 * Stored text made safe to show in a terminal (K4): nothing in it moves the cursor, sets colours, titles or the clipboard,
 * or reorders what is read. Line feeds and tabs stay, other line ends become line feeds, so that a carriage return hides
 * nothing; any other control character leaves a U+FFFD behind. Styling of our own goes around the result, never through it.
 */
export function plainText(text: string): string {
  return text.toWellFormed().replace(SEQUENCE, '').replace(LINE_END, '\n').replace(BIDI, '').replace(CONTROL, '\ufffd')
}
