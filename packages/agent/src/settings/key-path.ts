import { TreelineError } from '@treeline/core'

const PLAIN = /^[A-Za-z_][\w-]*$/
/** A plain name, with a dot before it unless it is the first, or any text in brackets and quotes. */
const PART = /(^|\.)([A-Za-z_][\w-]*)|\[("(?:[^"\\]|\\.)*")\]/y

/** As it is shown and typed: `compaction.enabled`, `models["openai/gpt-5.1"].contextWindow`. */
export function formatKeyPath(path: readonly string[]): string {
  return path
    .map((part, i) => (PLAIN.test(part) ? (i === 0 ? part : `.${part}`) : `[${JSON.stringify(part)}]`))
    .join('')
}

export function parseKeyPath(text: string): readonly string[] {
  const path: string[] = []
  PART.lastIndex = 0
  while (PART.lastIndex < text.length) {
    const match = PART.exec(text)
    const part = match === null ? undefined : (match[2] ?? unquote(match[3]!))
    const isDotFirst = path.length === 0 && match?.[1] === '.'
    if (part === undefined || isDotFirst) throw notAPath(text)
    path.push(part)
  }
  if (path.length === 0) throw notAPath(text)
  return path
}

function unquote(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string
  } catch {
    // An escape JSON does not know; the caller says what was expected.
    return undefined
  }
}

function notAPath(text: string): TreelineError {
  const shown = JSON.stringify(text.slice(0, 80))
  const example = 'compaction.enabled or models["provider/model"].contextWindow'
  return new TreelineError('validation_failed', `${shown} is not the name of a setting. Write it like ${example}.`)
}
