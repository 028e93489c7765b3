import type { Container } from './draft.ts'

/** In UTF-16 units, as the tools of this field count. */
export const MAX_CHARS = 500_000
export const CUT_NOTICE = '\n\n[Session persistence truncated large content]'

/** The beginning of a long text and the notice, together no longer than the limit. No character is split. */
export function cutText(text: string): string {
  const end = MAX_CHARS - CUT_NOTICE.length
  const splits = isHighSurrogate(text.charCodeAt(end - 1)) && isLowSurrogate(text.charCodeAt(end))
  return text.slice(0, splits ? end - 1 : end) + CUT_NOTICE
}

/** Whether `cut` can be what `cutText` left of `text`. */
export function isCutOf(cut: string, text: string): boolean {
  return cut.endsWith(CUT_NOTICE) && text.startsWith(cut.slice(0, -CUT_NOTICE.length))
}

/** Signatures, what they sign, encrypted blocks and base64: half of one is worth nothing, and a provider refuses it. */
export function isWorthlessInPart(holder: Container, key: string | number, text: string): boolean {
  if (/signature$|^encrypted/i.test(String(key)) || /^data:[^,]{0,200};base64,/.test(text)) return true
  if (key === 'thinking') return SIGNATURE_KEYS.some((signature) => typeof holder[signature] === 'string')
  if (key !== 'data') return false
  return OPAQUE_DATA.has(holder.type) || MIME_KEYS.some((mime) => typeof holder[mime] === 'string')
}

const OPAQUE_DATA: ReadonlySet<unknown> = new Set([
  'image',
  'redactedThinking',
  'redacted_thinking',
  'reasoning.encrypted',
])
const SIGNATURE_KEYS = ['thinkingSignature', 'signature']
const MIME_KEYS = ['mimeType', 'mime_type', 'media_type', 'mediaType']

export function countLines(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
