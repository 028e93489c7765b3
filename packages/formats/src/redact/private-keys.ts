const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
/** Base64, headers of old key files, line ends also where they are escaped. */
const KEY_CHARS = /[\w+/=\s\\:,.-]*/y

/** Key blocks, also ones cut short. Each character is looked at a fixed number of times: an end is looked for once. */
export function redactPrivateKeys(text: string, replacement: string): string {
  if (!text.includes('PRIVATE KEY')) return text
  const ends = [...text.matchAll(END)].map((match) => match.index + match[0].length)
  let result = ''
  let done = 0
  let next = 0
  for (const { index, 0: begin } of text.matchAll(BEGIN)) {
    if (index < done) continue
    while (next < ends.length && ends[next]! <= index) next++
    result += text.slice(done, index) + replacement
    done = ends[next] ?? endOfKeyChars(text, index + begin.length)
  }
  return result + text.slice(done)
}

function endOfKeyChars(text: string, from: number): number {
  KEY_CHARS.lastIndex = from
  return from + (KEY_CHARS.exec(text)?.[0].length ?? 0)
}
