import { plainText } from '@treeline/core'

/** Colours say again what words and shapes say already, so that nothing is lost without them. */
const CODES = {
  strong: [1, 22],
  faint: [2, 22],
  title: [36, 39],
  good: [32, 39],
  warn: [33, 39],
  bad: [31, 39],
  id: [33, 39],
  role: [35, 39],
  match: [7, 27],
} as const

export type Style = keyof typeof CODES

/** Nobody who wrote a session knows this, so what it says cannot pass for styling of ours. */
const nonce = Math.random().toString(36).slice(2) + Math.random().toString(36).slice(2)
const OPEN = `\u{f0000}${nonce}`
const CLOSE = `\u{f0001}${nonce}`
const MARK = new RegExp(`[\u{f0000}\u{f0001}]${nonce}(?:\\[(\\w+)\\])?`, 'gu')

/** Marks text to be shown in a style. Marks do not nest. What becomes of them, `render` decides. */
export function paint(style: Style, text: string): string {
  return text === '' ? '' : `${OPEN}[${style}]${text}${CLOSE}[${style}]`
}

/** Takes the marks away, for measuring. */
export function unpaint(text: string): string {
  return text.includes(nonce) ? text.replace(MARK, '') : text
}

/**
 * Text as it goes to a terminal (K4): whatever it is made of, nothing in it but our own styles is more than text. Every
 * character that is printed goes through here.
 */
export function render(text: string, hasColour: boolean): string {
  const plain = plainText(text)
  if (!plain.includes(nonce)) return plain
  if (!hasColour) return plain.replace(MARK, '')
  return plain.replace(MARK, (mark, style: Style | undefined) => {
    if (style === undefined || !Object.hasOwn(CODES, style)) return ''
    return `\u001b[${CODES[style][mark.startsWith('\u{f0000}') ? 0 : 1]}m`
  })
}
