/** A code fence, wherever it may stand: in a quote, in a list. */
const FENCE = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}(?=[^`]*$)|~{3,})(.*)$/
/** What is written and not seen: marks, addresses of links, empty lines. */
const WRITTEN_PER_SEEN = 4

/**
 * Gives the end of a text that grows, enough to fill so many characters of screen, so that showing it costs the same however
 * long the text has become. Code that goes on in it begins with its fence again. Each text that does not go on with the one
 * before is looked at from its start.
 */
export function liveTail(): (text: string, seenChars: number) => string {
  let before = ''
  let scannedTo = 0
  let fence = ''
  return (text, seenChars) => {
    if (!text.startsWith(before)) {
      scannedTo = 0
      fence = ''
    }
    before = text
    const from = text.length - seenChars * WRITTEN_PER_SEEN
    if (from <= 0) return text
    for (let end = text.indexOf('\n', scannedTo); end >= 0 && end < from; end = text.indexOf('\n', scannedTo)) {
      fence = fenceAfter(fence, text.slice(scannedTo, end))
      scannedTo = end + 1
    }
    // A line that is longer than all that can be seen is cut anywhere.
    const nextLine = text.indexOf('\n', from) + 1
    const at = nextLine > 0 && nextLine < text.length - seenChars ? nextLine : from
    const open = at === nextLine ? fenceAfter(fence, text.slice(scannedTo, nextLine - 1)) : fence
    return open === '' ? text.slice(at) : `${open}\n${text.slice(at)}`
  }
}

/** The opening line of the code that goes on after this line; nothing outside of code. */
function fenceAfter(fence: string, line: string): string {
  const [, mark = '', rest = ''] = FENCE.exec(line) ?? []
  if (mark === '') return fence
  if (fence === '') return `${mark}${rest}`
  const isEnd = rest.trim() === '' && fence.startsWith(mark[0]!) && mark.length >= fenceLength(fence)
  return isEnd ? '' : fence
}

function fenceLength(fence: string): number {
  let length = 0
  while (fence[length] === fence[0]) length++
  return length
}
