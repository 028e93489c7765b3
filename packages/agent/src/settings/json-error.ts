const BLANK = /[ \t\n\r]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** What may come next. */
type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd' | 'nothing'

/** Where text stops being JSON, as an offset; `undefined` when it is JSON. The engine does not always say. */
export function findJsonError(text: string): number | undefined {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const isThere = pattern.test(text)
    if (isThere) at = pattern.lastIndex
    return isThere
  }
  const takeString = (): boolean => {
    const end = endOfString(text, at)
    if (end !== undefined) at = end
    return end !== undefined
  }
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'commaOrEnd')
  for (;;) {
    take(BLANK)
    const char = text[at]
    if (char === undefined) return expected === 'nothing' ? undefined : at
    const isEnd = char === (open.at(-1) === '{' ? '}' : ']')
    if (isEnd && (expected === 'valueOrEnd' || expected === 'keyOrEnd' || expected === 'commaOrEnd')) {
      at++
      open.pop()
      expected = afterValue()
    } else if (expected === 'value' || expected === 'valueOrEnd') {
      if (char === '{' || char === '[') {
        at++
        open.push(char)
        expected = char === '{' ? 'keyOrEnd' : 'valueOrEnd'
      } else if (char === '"' ? takeString() : take(SCALAR)) expected = afterValue()
      else return at
    } else if (expected === 'key' || expected === 'keyOrEnd') {
      if (char !== '"' || !takeString()) return at
      expected = 'colon'
    } else if (expected === 'colon' && char === ':') {
      at++
      expected = 'value'
    } else if (expected === 'commaOrEnd' && char === ',') {
      at++
      expected = open.at(-1) === '{' ? 'key' : 'value'
    } else return at
  }
}

/** Behind the closing quote of the text that begins at `start`; `undefined` when it has none or holds what it may not. */
function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]!
    if (char === '"') return at + 1
    if (char < ' ') return undefined
    if (char !== '\\') continue
    ESCAPE.lastIndex = at
    if (!ESCAPE.test(text)) return undefined
    at = ESCAPE.lastIndex - 1
  }
  return undefined
}
