/** What a terminal sends for a key, as xterm does without any keyboard protocol. */
const KEYS = {
  enter: '\r',
  // As terminals with the kitty protocol, or set up for it, send them.
  'shift+enter': '\u001b[13;2u',
  'alt+enter': '\u001b\r',
  esc: '\u001b',
  tab: '\t',
  'shift+tab': '\u001b[Z',
  backspace: '\u007f',
  delete: '\u001b[3~',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  'ctrl+right': '\u001b[1;5C',
  'ctrl+left': '\u001b[1;5D',
  home: '\u001b[H',
  end: '\u001b[F',
  pageup: '\u001b[5~',
  pagedown: '\u001b[6~',
  space: ' ',
} as const

type Letter =
  | ('a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm')
  | ('n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z')

export type Key = keyof typeof KEYS | `ctrl+${Letter}` | Letter

/** The bytes of a key. */
export function bytesOf(key: Key): string {
  if (key in KEYS) return KEYS[key as keyof typeof KEYS]
  if (key.startsWith('ctrl+')) return String.fromCharCode(key.charCodeAt('ctrl+'.length) - 96)
  return key
}
