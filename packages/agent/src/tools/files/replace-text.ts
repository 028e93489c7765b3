import { TreelineError } from '@treeline/core'
import { describeNearest } from './nearest-lines.ts'

export interface TextEdit {
  readonly oldText: string
  readonly newText: string
  /** Every place, not the only one. */
  readonly all?: boolean | undefined
}

interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly edit: number
}

const MAX_PLACES = 100_000
const MAX_LINES_SHOWN = 10
/** Looking for what is like a text takes time; whoever is wrong in more reads the file again. */
const MAX_DESCRIBED = 3

/**
 * Carries out all edits or none. Each is looked for in the text as it was, with any line ends; what is put in gets the line
 * ends of the place. Throws with a word for each edit that does not fit.
 */
export function replaceText(text: string, edits: readonly TextEdit[], shown: string): string {
  const plain = new PlainText(text)
  const problems: string[] = []
  const found: Replacement[] = []
  for (const [i, edit] of edits.entries()) {
    const name = edits.length === 1 ? 'The text' : `Edit ${i + 1}: the text`
    const result = findPlaces(plain, edit, i, name, problems.length < MAX_DESCRIBED)
    if (typeof result === 'string') problems.push(result)
    else for (const place of result) found.push(place)
  }
  found.sort((a, b) => a.start - b.start)
  for (let i = 1; i < found.length; i++) {
    const [above, below] = [found[i - 1]!, found[i]!]
    if (above.end <= below.start) continue
    problems.push(`Edits ${above.edit + 1} and ${below.edit + 1} overlap. Make them one.`)
    break
  }
  if (problems.length > 0) {
    throw new TreelineError('bad_request', `${shown} was not changed.\n${problems.join('\n')}`)
  }
  const parts: string[] = []
  let at = 0
  for (const { start, end, text: put } of found) {
    parts.push(text.slice(at, start), put)
    at = end
  }
  return parts.join('') + text.slice(at)
}

function findPlaces(
  plain: PlainText,
  { oldText, newText, all }: TextEdit,
  edit: number,
  name: string,
  isDescribed: boolean,
) {
  const wanted = withLineFeeds(oldText.replace(/^\ufeff/, ''))
  const put = withLineFeeds(newText)
  if (wanted === '') return `${name} to replace is empty. Use write for a new file.`
  if (wanted === put) return `${name} to replace is the same as what is to replace it.`
  const starts: number[] = []
  for (let at = plain.text.indexOf(wanted); at >= 0; at = plain.text.indexOf(wanted, at + wanted.length)) {
    if (starts.push(at) > MAX_PLACES) return `${name} is there more than ${MAX_PLACES} times.`
  }
  if (starts.length === 0) {
    return `${name} to replace was not found.${isDescribed ? describeNearest(plain.text, wanted) : ''}`
  }
  if (starts.length > 1 && all !== true) {
    const lines = starts.slice(0, MAX_LINES_SHOWN).map((start) => plain.lineAt(start))
    const more = starts.length > MAX_LINES_SHOWN ? ' …' : ''
    return `${name} to replace is there ${starts.length} times, at lines ${lines.join(', ')}${more}. Give more of what is around it, or set all.`
  }
  return starts.map((start) => {
    const raw = { start: plain.rawOffset(start), end: plain.rawOffset(start + wanted.length) }
    const lineEnd = plain.lineEndAt(start)
    return { ...raw, text: lineEnd === '\n' ? put : put.replaceAll('\n', lineEnd), edit }
  })
}

function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** A text with plain line feeds, which knows where things are in the original. Class: it owns the offsets. */
class PlainText {
  readonly text: string
  /** Where, in the plain text, line feeds stand that were CRLF; in order. */
  private readonly crlf: readonly number[]

  constructor(raw: string) {
    this.text = withLineFeeds(raw)
    const crlf: number[] = []
    for (let at = raw.indexOf('\r\n'); at >= 0; at = raw.indexOf('\r\n', at + 2)) crlf.push(at - crlf.length)
    this.crlf = crlf
  }

  rawOffset(at: number): number {
    return at + this.crlfBefore(at)
  }

  /** That of the line a place is in, or of the line above the last one. */
  lineEndAt(at: number): '\n' | '\r\n' {
    const own = this.text.indexOf('\n', at)
    const end = own < 0 ? this.text.lastIndexOf('\n') : own
    return end >= 0 && this.crlf[this.crlfBefore(end)] === end ? '\r\n' : '\n'
  }

  lineAt(offset: number): number {
    let line = 1
    for (let at = this.text.indexOf('\n'); at >= 0 && at < offset; at = this.text.indexOf('\n', at + 1)) line++
    return line
  }

  private crlfBefore(at: number): number {
    let low = 0
    let high = this.crlf.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.crlf[middle]! < at) low = middle + 1
      else high = middle
    }
    return low
  }
}
