const MAX_ALTERNATIVES = 64
const BRACES = /\{([^{}]*)\}/

/** Whether a path with `/` fits. Takes time in proportion to path and pattern, whatever they are. */
export type MatchPath = (path: string) => boolean

/**
 * `*` and `?` within a name, `**` for any number of folders, `[a-z]` and `[!a-z]`, and `{a,b}`. A pattern without `/` is
 * about names in any folder.
 */
export function parseGlob(glob: string): MatchPath {
  const patterns = expandBraces(glob).map((pattern) => {
    const parts = pattern.replace(/^\.?\//, '').split('/')
    return pattern.includes('/') ? parts : ['**', ...parts]
  })
  return (path) => {
    const names = path.split('/')
    return patterns.some((parts) => matchParts(parts, names))
  }
}

function expandBraces(glob: string): string[] {
  const done: string[] = []
  const open = [glob]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const braces = BRACES.exec(next)
    if (braces === null || done.length + open.length >= MAX_ALTERNATIVES) {
      done.push(next)
      continue
    }
    const before = next.slice(0, braces.index)
    const after = next.slice(braces.index + braces[0].length)
    for (const part of braces[1]!.split(',', MAX_ALTERNATIVES)) open.push(before + part + after)
  }
  return done
}

/** Names against the parts of a pattern. Goes back to the last `**` only: it can take what an earlier one would. */
export function matchParts(parts: readonly string[], names: readonly string[]): boolean {
  return matchStars(
    parts.length,
    names.length,
    (part) => parts[part] === '**',
    (part, name) => matchName(parts[part]!, names[name]!),
  )
}

/** One name against one part. */
function matchName(pattern: string, name: string): boolean {
  const tokens = tokensOf(pattern)
  const characters = Array.from(name)
  return matchStars(
    tokens.length,
    characters.length,
    (token) => tokens[token] === '*',
    (token, at) => fits(tokens[token]!, characters[at]!),
  )
}

function matchStars(
  patternLength: number,
  length: number,
  isStar: (at: number) => boolean,
  isFit: (patternAt: number, at: number) => boolean,
): boolean {
  let p = 0
  let at = 0
  let starAt = -1
  let resumeAt = 0
  while (at < length) {
    if (p < patternLength && isStar(p)) {
      starAt = p++
      resumeAt = at
    } else if (p < patternLength && isFit(p, at)) {
      p++
      at++
    } else if (starAt >= 0) {
      p = starAt + 1
      at = ++resumeAt
    } else return false
  }
  while (p < patternLength && isStar(p)) p++
  return p === patternLength
}

const tokenLists = new Map<string, readonly string[]>()
const MAX_TOKEN_LISTS = 1000
const TOKEN = /\\.|\[[!^]?\]?[^\]]*\]|\*+|./gsu

/** `*`, `?`, `[…]` or a character; with `\` before it, that character. */
function tokensOf(pattern: string): readonly string[] {
  const known = tokenLists.get(pattern)
  if (known !== undefined) return known
  const tokens = (pattern.match(TOKEN) ?? []).map((token) => (token.startsWith('**') ? '*' : token))
  if (tokenLists.size >= MAX_TOKEN_LISTS) tokenLists.clear()
  tokenLists.set(pattern, tokens)
  return tokens
}

function fits(token: string, character: string): boolean {
  if (token === '?') return true
  if (token.startsWith('\\') && token.length > 1) return token.slice(1) === character
  if (token.startsWith('[') && token.length > 1) return fitsClass(token.slice(1, -1), character)
  return token === character
}

function fitsClass(members: string, character: string): boolean {
  const isNegated = /^[!^]/.test(members)
  const list = Array.from(isNegated ? members.slice(1) : members)
  let isIn = false
  for (let i = 0; i < list.length; i++) {
    const isRange = list[i + 1] === '-' && i + 2 < list.length
    if (isRange ? list[i]! <= character && character <= list[i + 2]! : list[i] === character) isIn = true
    if (isRange) i += 2
  }
  return isIn !== isNegated
}
