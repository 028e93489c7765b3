/** The values that say most about a call, in this order. */
const TELLING = ['command', 'path', 'file_path', 'pattern', 'query', 'url', 'name', 'description']
const MAX_CHARS = 100

/** One line about what a tool was asked to do. */
export function describeCall(input: unknown): string {
  if (typeof input === 'string') return shorten(input)
  if (typeof input !== 'object' || input === null) return ''
  const values = input as Readonly<Record<string, unknown>>
  const told = TELLING.map((key) => values[key]).filter((value) => typeof value === 'string' && value !== '')
  if (told.length > 0) return shorten(told.slice(0, 2).join('  '))
  const text = JSON.stringify(input)
  return text === '{}' ? '' : shorten(text)
}

export function firstLine(text: string): string {
  return shorten(text.trimStart().split('\n', 1)[0] ?? '')
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line
}
