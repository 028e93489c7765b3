import { plainText } from '@treeline/core'

const TAB_STOP = 4

/** Text made safe to show (K4) and to measure: without tabs. The Unicode line separators are line ends, if not for every terminal. */
export function cleanLines(text: string): string {
  const plain = plainText(text).replace(/[\u2028\u2029]/g, '\n')
  return plain.includes('\t') ? plain.split('\n').map(expandTabs).join('\n') : plain
}

function expandTabs(line: string): string {
  const [start = '', ...pieces] = line.split('\t')
  let length = start.length
  let expanded = start
  for (const piece of pieces) {
    const gap = TAB_STOP - (length % TAB_STOP)
    expanded += ' '.repeat(gap) + piece
    length += gap + piece.length
  }
  return expanded
}
