import { plainText } from '@treeline/core'

/** One that ends on its own line is code within a sentence. */
const FENCE = /^ {0,3}(?:`{3,}[^`]*|~{3,}.*)$/
/** Code whose end is not on the line. */
const OPEN_FENCE = /^(`{3,})[\w+#-]* (?!.*\1)/
const RULE = /^ {0,3}(?:=+|-{2,}|(?:[-*_][ \t]*){3,})$/
const TABLE_RULE =
  /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*$|^[ \t]*\|[ \t]*:?-+:?[ \t]*\|[ \t]*$/
const TABLE_ROW = /^[ \t]*\|(.*?)\|?[ \t]*$/
const HEADING = /^ {0,3}#{1,6}(?:[ \t]+|$)/
const QUOTE = /^ {0,3}(?:>[ \t]?)+/
const BULLET = /^([ \t]*)[-*+][ \t]+(?:\[([ xX])\][ \t]+)?/
/** A preview is one line: what were headings and blocks of code stand in the middle of it. */
const HEADING_WITHIN = /(?<=\S )#{2,6} (?=\S)/g
const CODE = /(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g
const LINK = /!?\[([^[\]]*)\](?:\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)|\[[^[\]]*\])/g
const CUT_LINK = /!?\[([^[\]]*)\]\([^)]*$/
const WEB_LINK = /<((?:https?:|mailto:)[^\s<>]+)>/g
const ESCAPE = /\\([!-/:-@[-`{-~])/g
const MARKS = /\*+|_+|~~/g

/**
 * The words of a text without the marks of its markdown, on one line: for places where it is a name and not a page. What
 * only looks like a mark stays, as in `snake_case` and 2 * 3. With `isCut`, what was opened and not closed counts as a mark:
 * its other half is where the text was cut off.
 */
export function plainWords(text: string, isCut = false): string {
  const kept: string[] = []
  const keep = (literal: string): string => `\ue000${kept.push(literal) - 1}\ue001`
  const isLine = !text.includes('\n')
  const cleaned = plainText(text).replace(/[\ue000\ue001]/g, '')
  const blocks = isLine ? [withoutLead(cleaned.replace(OPEN_FENCE, ''))] : withoutBlocks(cleaned, keep)
  const words = blocks.map((block) => withoutMarks(block, { keep, isCut, isLine })).join(' ')
  const whole = words.replace(/\ue000(\d+)\ue001/g, (_, at: string) => kept[Number(at)] ?? '')
  return whole.replace(/\s+/gu, ' ').trim()
}

type Keep = (literal: string) => string

/** Line by line: fences, rules, headings, quotes, bullets, tables. */
function withoutBlocks(text: string, keep: Keep): readonly string[] {
  const lines: string[] = []
  let isCode = false
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode
    else if (isCode) lines.push(keep(line))
    else if (RULE.test(line) || TABLE_RULE.test(line)) lines.push('')
    else lines.push(withoutLead(line))
  }
  return lines.join('\n').split(/\n[ \t]*\n/)
}

function withoutLead(line: string): string {
  const row = TABLE_ROW.exec(line)
  if (row !== null) return row[1]!.replace(/[ \t]*(?<!\\)\|[ \t]*/g, ' · ').trim()
  const said = line.replace(QUOTE, '')
  if (HEADING.test(said)) return said.replace(HEADING, '').replace(/[ \t]+#+[ \t]*$/, '')
  return said.replace(BULLET, (_, space: string, tick?: string) => {
    return `${space}${tick === undefined ? '•' : tick === ' ' ? '☐' : '☑'} `
  })
}

interface Block {
  readonly keep: Keep
  readonly isCut: boolean
  readonly isLine: boolean
}

function withoutMarks(block: string, { keep, isCut, isLine }: Block): string {
  const text = block
    .replace(CODE, (_, ticks: string, code: string) => keep(ticks.length > 2 ? code.replace(/^[\w+#-]+\s/, '') : code))
    .replace(ESCAPE, (_, sign: string) => keep(sign))
    .replace(WEB_LINK, (_, url: string) => keep(url))
    // Twice for a picture that is a link.
    .replace(LINK, '$1')
    .replace(LINK, '$1')
  const said = isLine ? text.replace(HEADING_WITHIN, '') : text
  return withoutEmphasis(isCut ? said.replace(CUT_LINK, '$1').replace(/`+/g, '') : said, isCut)
}

interface Run {
  readonly at: number
  readonly sign: string
  left: number
}

/** Takes away the marks that have a partner. One pass, however many there are. */
function withoutEmphasis(text: string, isCut: boolean): string {
  const open: Record<string, Run[]> = { '*': [], _: [], '~': [] }
  const runs: Run[] = []
  for (const { 0: marks, index } of text.matchAll(MARKS)) {
    const run: Run = { at: index, sign: marks[0]!, left: marks.length }
    const [before, after] = [text[index - 1] ?? ' ', text[index + marks.length] ?? ' ']
    const isWithin = run.sign === '_' && isWordSign(before) && isWordSign(after)
    runs.push(run)
    if (!isWithin && /\S/.test(before)) close(open[run.sign]!, run)
    if (run.left > 0 && !isWithin && /\S/.test(after)) open[run.sign]!.push(run)
  }
  if (isCut) for (const run of Object.values(open).flat()) run.left = 0
  let [made, from] = ['', 0]
  for (const { at, sign, left } of runs) {
    made += text.slice(from, at) + sign.repeat(left)
    from = at
    while (text[from] === sign) from++
  }
  return made + text.slice(from)
}

function close(open: Run[], run: Run): void {
  for (let top = open.at(-1); top !== undefined && run.left > 0; top = open.at(-1)) {
    const paired = Math.min(top.left, run.left)
    top.left -= paired
    run.left -= paired
    if (top.left === 0) open.pop()
  }
}

function isWordSign(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character)
}

/** The same line by line, for a text whose lines matter. Code stays as it is. */
export function plainLines(text: string): string {
  let isCode = false
  const lines = text.split('\n').map((line) => {
    if (FENCE.test(line)) isCode = !isCode
    else if (!isCode) return plainWords(line)
    return line
  })
  return lines.join('\n')
}
