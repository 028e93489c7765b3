/**
 * Text outside of code blocks, such that no renderer finds HTML in it, runs an address or loads a picture:
 * - `<` and what begins an entity are written as entities, except in code spans, where they are harmless;
 * - `javascript:` and the like get a space before the colon, which ends the address;
 * - pictures become links, so that opening the file asks no server for anything.
 *
 * Only what every renderer takes for a code span counts as one: closed on its line, without the bar that divides cells of
 * a table, in a paragraph without stray backticks.
 */
export function escapeProse(text: string): string {
  return text
    .split(/(\n[ \t]*\n)/)
    .map(escapeParagraph)
    .join('')
}

const RUNS = /(\\?)(`+)/g

function escapeParagraph(paragraph: string): string {
  const lines = paragraph.split('\n').map(splitSpans)
  const isSure = lines.every((spans) => spans !== undefined)
  if (!isSure) return escapeText(paragraph)
  // Adjacent text is escaped as one, because an address may stand on a line of its own.
  let result = ''
  let pending = ''
  for (const [i, spans] of lines.entries()) {
    if (i > 0) pending += '\n'
    for (const { text, isCode } of spans) {
      if (!isCode) pending += text
      else {
        result += escapeText(pending) + text
        pending = ''
      }
    }
  }
  return result + escapeText(pending)
}

interface Span {
  readonly text: string
  readonly isCode: boolean
}

/** `undefined` when it is not clear which backticks belong together. */
function splitSpans(line: string): Span[] | undefined {
  const spans: Span[] = []
  let from = 0
  let open: { readonly at: number; readonly length: number } | undefined
  for (const { 1: backslash, 2: run = '', index } of line.matchAll(RUNS)) {
    if (backslash !== '') return undefined
    if (open === undefined) open = { at: index, length: run.length }
    else if (open.length === run.length) {
      const text = line.slice(open.at, index + run.length)
      spans.push({ text: line.slice(from, open.at), isCode: false }, { text, isCode: !text.includes('|') })
      from = index + run.length
      open = undefined
    }
  }
  if (open !== undefined) return undefined
  spans.push({ text: line.slice(from), isCode: false })
  return spans
}

function escapeText(text: string): string {
  return text
    .replace(/&(?=[#A-Za-z])/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/(javascript|vbscript)(?=\\?:)/gi, '$1 ')
    .replace(/((?:\(|\]:)\s{0,1000}(?:data|file|blob))(?=\\?:)/gi, '$1 ')
    .replaceAll('![', '[image: ')
}

/** A name or title within a line of ours: nothing in it is markup. */
export function escapeInline(text: string): string {
  return text
    .replace(/[\\`*_[\]{}()#~|!$]/g, '\\$&')
    .replace(/&(?=[#A-Za-z])/g, '&amp;')
    .replaceAll('<', '&lt;')
}
