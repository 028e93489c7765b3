/** The first word, and what follows it. */
export function splitFirst(text: string): readonly [first: string, rest: string] {
  const [, first = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(text) ?? []
  return [first, rest.trimEnd()]
}

export function splitWords(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
