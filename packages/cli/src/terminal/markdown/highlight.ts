import { highlightMarkup } from './highlight-markup.ts'
import { LANGUAGES, type Language } from './languages.ts'
import type { StyledLine, StyledRun, TextStyle } from './styled-line.ts'

const COMMENT: TextStyle = { dim: true }
const STRING: TextStyle = { color: 'green' }
const NUMBER: TextStyle = { color: 'yellow' }
const KEYWORD: TextStyle = { color: 'magenta' }
const MARKUP = new Set(['html', 'xml', 'svg', 'vue', 'htm'])
const DIFF = new Set(['diff', 'patch'])

/** The same lines with colours, if the language is known. Takes time in proportion to the code. */
export function highlight(lines: readonly string[], name: string): readonly StyledLine[] {
  if (DIFF.has(name)) return lines.map((text) => [{ text, ...diffStyle(text) }])
  if (MARKUP.has(name)) return highlightMarkup(lines)
  const language = LANGUAGES.get(name)
  if (language === undefined) return lines.map((text) => [{ text }])
  const scan = scanner(language)
  return lines.map(scan)
}

function diffStyle(line: string): TextStyle {
  if (/^(?:\+\+\+|---|diff |index )/.test(line)) return { bold: true }
  if (line.startsWith('@@')) return { color: 'cyan' }
  if (line.startsWith('+')) return { color: 'green' }
  return line.startsWith('-') ? { color: 'red' } : {}
}

/** What was begun on an earlier line and where it ends. */
interface Unfinished {
  readonly end: string
  readonly style: TextStyle
}

/** Lines have to be given in order. */
function scanner(language: Language): (line: string) => StyledLine {
  const next = tokenPattern(language)
  let unfinished: Unfinished | undefined
  return (line) => {
    const runs: StyledRun[] = []
    let at = 0
    const add = (end: number, style: TextStyle = {}) => {
      if (end > at) runs.push({ text: line.slice(at, end), ...style })
      at = end
    }
    const goOn = ({ end, style }: Unfinished, from: number) => {
      const close = style === STRING ? closingQuote(line, end, from) : line.indexOf(end, from)
      unfinished = close < 0 ? { end, style } : undefined
      add(close < 0 ? line.length : close + end.length, style)
    }
    if (unfinished !== undefined) goOn(unfinished, 0)
    let from = at
    for (;;) {
      next.lastIndex = from
      const match = next.exec(line)
      if (match === null) break
      const [token, word] = match
      const end = match.index + token.length
      const style = word === undefined ? undefined : wordStyle(word, language)
      if (word !== undefined && style === undefined) {
        from = end
        continue
      }
      add(match.index)
      if (style !== undefined) add(end, style)
      else if (language.lineComments.includes(token)) add(line.length, COMMENT)
      else if (token === language.blockComment?.[0]) goOn({ end: language.blockComment[1], style: COMMENT }, end)
      else {
        goOn({ end: token, style: STRING }, end)
        if (language.strings.includes(token)) unfinished = undefined
      }
      from = at
    }
    add(line.length)
    return runs
  }
}

function closingQuote(line: string, quote: string, from: number): number {
  for (let at = from; at < line.length; at++) {
    if (line[at] === '\\') at++
    else if (line.startsWith(quote, at)) return at
  }
  return -1
}

function wordStyle(word: string, language: Language): TextStyle | undefined {
  if (/^\d/.test(word)) return NUMBER
  return language.keywords.has(language.ignoresCase ? word.toLowerCase() : word) ? KEYWORD : undefined
}

/** A word or number, or whatever begins a comment or string. In a shell `#` within a word is no comment. */
function tokenPattern(language: Language): RegExp {
  const marks = (language.wordMarks ?? '').replaceAll('-', '\\-')
  const starts = [
    ...language.lineComments,
    language.blockComment?.[0] ?? '',
    ...language.longStrings,
    ...language.strings,
  ]
  const quoted = starts.filter((start) => start !== '').map((start) => start.replace(/[*/]/g, '\\$&'))
  const comment = language.wordMarks === '-' ? '(?<!\\S)#|' : ''
  const others = comment === '' ? quoted : quoted.filter((start) => start !== '#')
  return new RegExp(`(\\d[\\w.%]*|[\\w${marks}]+)|${comment}${others.join('|')}`, 'g')
}
