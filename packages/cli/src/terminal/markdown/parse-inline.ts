import { emphasisPairer } from './emphasis.ts'
import type { StyledRun, TextStyle } from './styled-line.ts'

/** A stretch of text. The counts say how many spans begin there, less those that end before it. */
export interface Part {
  text: string
  readonly style: TextStyle
  bold: number
  italic: number
  link: number
}

const SPECIAL = /\\|`+|\*+|_+|!?\[|\]|</g
const ESCAPABLE = /[!-/:-@[-`{-~\n]/
const PLAIN: TextStyle = {}
const MARK: TextStyle = { dim: true }
const CODE: TextStyle = { color: 'cyan' }
const LINK: TextStyle = { underline: true }
/** By the sum of 1 for bold, 2 for italic and 4 for a link. */
const SPANS: readonly TextStyle[] = Array.from({ length: 8 }, (_, spans) => ({
  ...(spans & 1 && { bold: true }),
  ...(spans & 2 && { italic: true }),
  ...(spans & 4 && LINK),
}))
/** One pair of parentheses may stand in an address. Where a new link would begin it ends, so no text is read twice. */
const ADDRESS =
  /\]\(<?((?:https?:\/\/|mailto:)[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*){0,8})>?(?: +(?:"[^"\n]*"|'[^'\n]*'))? *\)/iy
const AUTOLINK = /<((?:https?:\/\/|mailto:)[^\s<>]*)>/iy

/**
 * Bold, italic, code and links as runs. Line feeds stay in the text. A mark without its counterpart is text, as is a link
 * that leads anywhere but to the web or a mailbox: where a link leads is always to be seen.
 */
export function parseInline(text: string): readonly StyledRun[] {
  const parts: Part[] = []
  const add = (piece: string, style: TextStyle = PLAIN): Part => {
    const part = { text: piece, style, bold: 0, italic: 0, link: 0 }
    parts.push(part)
    return part
  }
  const pairEmphasis = emphasisPairer(parts)
  const findFence = fenceFinder(text)
  let brackets: number[] = []
  let at = 0
  for (;;) {
    SPECIAL.lastIndex = at
    const match = SPECIAL.exec(text)
    if (match === null) break
    const { index, 0: mark } = match
    const end = index + mark.length
    if (index > at) add(text.slice(at, index))
    at = end
    if (mark === '\\') {
      const next = text[end]
      const isEscape = next !== undefined && ESCAPABLE.test(next)
      add(isEscape ? next : mark)
      if (isEscape) at = end + 1
    } else if (mark[0] === '`') {
      const close = findFence(index, mark.length)
      add(mark, close === undefined ? PLAIN : MARK)
      if (close === undefined) continue
      add(text.slice(end, close), CODE)
      add(mark, MARK)
      at = close + mark.length
    } else if (mark[0] === '*' || mark[0] === '_') {
      add(mark)
      pairEmphasis(text, index, mark)
    } else if (mark === '<') {
      const address = matchAt(AUTOLINK, text, index)
      add(address?.[1] ?? mark, address === undefined ? PLAIN : LINK)
      if (address !== undefined) at = index + address[0].length
    } else if (mark === ']') {
      const opener = brackets.pop()
      const address = opener === undefined ? undefined : matchAt(ADDRESS, text, index)
      if (opener === undefined || address?.[1] === undefined) add(mark)
      else {
        closeLink(parts, opener, add('', MARK), address[1])
        brackets = []
        at = index + address[0].length
      }
    } else {
      brackets.push(parts.length)
      add(mark)
    }
  }
  add(text.slice(at))
  return runsOf(parts)
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

function closeLink(parts: readonly Part[], opener: number, end: Part, address: string): void {
  parts[opener]!.text = ''
  parts[opener + 1]!.link++
  end.link--
  const shown = parts.slice(opener + 1, -1).reduce((text, part) => text + part.text, '')
  if (shown === '') end.text = address
  else if (shown !== address && `mailto:${shown}` !== address) end.text = ` (${address})`
}

/** Finds the backticks that end code. Places are asked for in order, so that each is looked at once. */
function fenceFinder(text: string): (after: number, length: number) => number | undefined {
  let places: Map<number, number[]> | undefined
  return (after, length) => {
    if (places === undefined) {
      places = new Map()
      // Backwards, to take from the end.
      for (const { 0: run, index } of [...text.matchAll(/`+/g)].reverse()) {
        const list = places.get(run.length)
        if (list === undefined) places.set(run.length, [index])
        else list.push(index)
      }
    }
    const list = places.get(length) ?? []
    while (list.length > 0 && list.at(-1)! <= after) list.pop()
    return list.at(-1)
  }
}

/** Neighbours that look the same become one run. */
function runsOf(parts: readonly Part[]): readonly StyledRun[] {
  const runs: StyledRun[] = []
  let bold = 0
  let italic = 0
  let link = 0
  let texts: string[] = []
  let look: { readonly style: TextStyle; readonly spans: number } = { style: PLAIN, spans: 0 }
  const flush = () => {
    if (texts.length > 0) runs.push({ text: texts.join(''), ...look.style, ...SPANS[look.spans] })
    texts = []
  }
  for (const part of parts) {
    bold += part.bold
    italic += part.italic
    link += part.link
    if (part.text === '') continue
    const spans = (bold > 0 ? 1 : 0) + (italic > 0 ? 2 : 0) + (link > 0 ? 4 : 0)
    if (part.style !== look.style || spans !== look.spans) {
      flush()
      look = { style: part.style, spans }
    }
    texts.push(part.text)
  }
  flush()
  return runs
}
