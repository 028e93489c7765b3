const LONG = 300
const FILE_NAME_BYTES = 160

/**
 * What somebody may have written so that a terminal does more than show it, by what it would do. Where Treeline itself uses
 * a sequence of the same kind, the numbers are ones that it never uses.
 */
export const HOSTILE: Readonly<Record<string, string>> = {
  // First colours, which are all that Ink itself would let through: a preview shows only the beginning.
  colours: '\u001b[35;45m',
  overrides: '\u202da\u202eb',
  bell: '\u0007',
  'title, BEL': '\u001b]0;owned\u0007',
  'title, ST': '\u001b]2;owned\u001b\\',
  'title, C1': '\u009d2;owned\u009c',
  'link, ST': '\u001b]8;;http://evil.test\u001b\\click\u001b]8;;\u001b\\',
  'link, BEL': '\u001b]8;;http://evil.test\u0007click\u001b]8;;\u0007',
  'clipboard, BEL': '\u001b]52;c;cm0gLXJmIC8=\u0007',
  'clipboard, ST': '\u001b]52;c;cm0gLXJmIC8=\u001b\\',
  'clipboard, C1': '\u009d52;c;cm0gLXJmIC8=\u009c',
  'clipboard, read': '\u001b]52;c;?\u0007',
  'an OSC without an end': '\u001b]52;c;cm0=',
  notification: '\u001b]9;owned\u0007',
  palette: '\u001b]4;1;rgb:00/00/00\u0007',
  'erase all': '\u001b[0;2J',
  'erase the scrollback': '\u001b[;3J',
  'erase, C1': '\u009b2J',
  'erase the line': '\u001b[0;2K',
  cursor: '\u001b[7777;7777H',
  'cursor up': '\u001b[9999A',
  'cursor, C1': '\u009b9999A',
  'scroll region': '\u001b[2;3r',
  scroll: '\u001b[5S',
  'insert lines': '\u001b[5L',
  'hidden text': '\u001b[8mhidden\u001b[28m',
  'colours, C1': '\u009b35;45m',
  'alternate screen': '\u001b[?1049h',
  mouse: '\u001b[?1000h\u001b[?1006h',
  focus: '\u001b[?1004h',
  pastes: '\u001b[?2004;1l',
  'no wrapping': '\u001b[?7l',
  'keyboard protocol': '\u001b[>1u',
  'soft reset': '\u001b[!p',
  'where is the cursor': '\u001b[6n',
  'who are you': '\u001b[c\u001b[>c',
  'window size': '\u001b[8;3;3t\u001b[21t',
  'a CSI without an end': '\u001b[3',
  DCS: '\u001bP$q"p\u001b\\',
  'DCS, C1': '\u0090$q"p\u009c',
  APC: '\u001b_Gf=100;AAAA\u001b\\',
  'APC, C1': '\u009fGf=100;AAAA\u009c',
  PM: '\u001b^owned\u001b\\',
  'PM, C1': '\u009eowned\u009c',
  SOS: '\u001bXowned\u001b\\',
  'SOS, C1': '\u0098owned\u009c',
  reset: '\u001bc',
  'line drawing': '\u001b(0',
  'save and restore': '\u001b7\u001b8',
  keypad: '\u001b=',
  'index up': '\u001bM',
  'index up, C1': '\u008d',
  'next line, C1': '\u0085',
  'SS3, C1': '\u008fP',
  'shift out': '\u000e',
  'shift in': '\u000f',
  backspace: 'rm\b\b',
  'carriage return': 'seen\rhidden',
  'line tabulation': '\u000b',
  'form feed': '\f',
  NUL: '\u0000',
  DEL: '\u007f',
  'ESC alone': '\u001b',
  'ESC twice': '\u001b\u001b[9999D',
  embeddings: '\u202aa\u202bb\u202cc',
  isolates: '\u2066a\u2067b\u2068c\u2069d',
  marks: '\u200ea\u200fb\u061cc',
  'zero width': 'a\u200bb\u200cc\u200dd\u2060e\ufefff',
  separators: 'a\u2028b\u2029c',
  'half a character': 'a\ud800b\udc00c',
  'a tower': `e${'\u0301'.repeat(LONG)}`,
  tags: '\u{e0001}\u{e0041}\u{e007f}',
}

/** All of it between two words that tell where it was seen. */
export function hostile(name: string): string {
  return `${name} ${Object.values(HOSTILE).join(' ')} /${name}`
}

/** What of it can be kept in UTF-8 and stand in a variable or a path: no half characters and no NUL. */
export function hostileName(name: string): string {
  return `${name}${pieces().join('')}`
}

/** All of it as names of files, which are short and without `/`. */
export function hostileFileNames(): readonly string[] {
  const names: string[] = []
  for (const piece of pieces().map((text) => text.replaceAll('/', ''))) {
    const last = names.at(-1)
    if (last !== undefined && Buffer.byteLength(last + piece) <= FILE_NAME_BYTES) names[names.length - 1] = last + piece
    else names.push(`file${names.length}${piece}`)
  }
  return names
}

function pieces(): readonly string[] {
  const shown = Object.values(HOSTILE).filter((text) => text.isWellFormed() && text.length < LONG)
  return shown.map((text) => text.replaceAll('\u0000', ''))
}
