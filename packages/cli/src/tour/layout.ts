const COLUMNS = 80
export const MARGIN = '  '
export const INNER = COLUMNS - 2 * MARGIN.length

/** Breaks prose between words. */
export function wrap(text: string, width = INNER): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length <= width) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}

/** Breaks text anywhere: for what must be shown exactly. */
export function chop(text: string, width = INNER): string[] {
  return text.match(new RegExp(`.{1,${width}}`, 'gu')) ?? []
}

/** A heading across the screen, with a remark at its right end. */
export function rule(title: string, remark = ''): string {
  const end = remark === '' ? '' : ` ${remark} ──`
  return `── ${title} ${'─'.repeat(Math.max(0, COLUMNS - title.length - 4 - end.length))}${end}`
}
