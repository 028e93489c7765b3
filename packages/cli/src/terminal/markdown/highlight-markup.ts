import type { StyledLine, StyledRun, TextStyle } from './styled-line.ts'

const COMMENT: TextStyle = { dim: true }
const TAG: TextStyle = { color: 'magenta' }
const STRING: TextStyle = { color: 'green' }

const IN_TEXT = /<!--|<[/!?]?[A-Za-z][\w:.-]*/g
const IN_TAG = /["']|[/?]?>/g

/** HTML and XML: names of tags, values of attributes, comments. */
export function highlightMarkup(lines: readonly string[]): readonly StyledLine[] {
  let place: 'text' | 'tag' | 'comment' | '"' | "'" = 'text'
  return lines.map((line) => {
    const runs: StyledRun[] = []
    let at = 0
    const add = (end: number, style: TextStyle = {}) => {
      if (end > at) runs.push({ text: line.slice(at, end), ...style })
      at = end
    }
    while (at < line.length) {
      if (place === 'comment' || place === '"' || place === "'") {
        const close: string = place === 'comment' ? '-->' : place
        const found = line.indexOf(close, at)
        add(found < 0 ? line.length : found + close.length, place === 'comment' ? COMMENT : STRING)
        if (found >= 0) place = place === 'comment' ? 'text' : 'tag'
        continue
      }
      const pattern = place === 'text' ? IN_TEXT : IN_TAG
      pattern.lastIndex = at
      const match = pattern.exec(line)
      if (match === null) break
      add(match.index)
      const [token] = match
      const end = match.index + token.length
      if (token === '"' || token === "'") {
        add(end, STRING)
        place = token
      } else if (token === '<!--') {
        add(end, COMMENT)
        place = 'comment'
      } else {
        add(end, TAG)
        place = token.endsWith('>') ? 'text' : 'tag'
      }
    }
    add(line.length)
    return runs
  })
}
