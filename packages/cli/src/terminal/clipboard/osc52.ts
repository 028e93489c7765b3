const ESC = '\u001b'
const BEL = '\u0007'
const END = `${ESC}\\`
/** What terminals take, as base64. */
const MAX_CHARS = 100_000
/** What screen passes on in one piece. */
const SCREEN_CHARS = 240

/**
 * Tells the terminal what its clipboard is to hold; `undefined` when that is too long for it. The text goes as base64, so
 * that nothing in it is more than text. Within tmux and screen it is wrapped, to be passed on to the terminal outside.
 */
export function osc52(text: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const data = Buffer.from(text, 'utf8').toString('base64')
  if (data.length > MAX_CHARS) return undefined
  const sequence = `${ESC}]52;c;${data}${BEL}`
  if (env.TMUX) return `${ESC}Ptmux;${sequence.replaceAll(ESC, ESC + ESC)}${END}`
  if (!env.STY) return sequence
  const pieces = sequence.match(new RegExp(`[^]{1,${SCREEN_CHARS}}`, 'g')) ?? []
  return pieces.map((piece) => `${ESC}P${piece}${END}`).join('')
}
