import { isObject, isText } from '../context/json.ts'
import { preview } from './preview.ts'

const MAX_ARGUMENTS = 4
const MAX_GRAPHEMES = 40

/** A tool call in a few words, e.g. `read(path=src/index.ts, limit=20)`. Not for approval, which must show all of it. */
export function describeToolCall(name: unknown, input: unknown): string {
  const called = preview(isText(name) ? name : 'tool', MAX_GRAPHEMES)
  if (!isObject(input)) return `${called}(${isText(input) ? shortValue(input) : ''})`
  const keys = Object.keys(input)
  const shown = keys.slice(0, MAX_ARGUMENTS).map((key) => `${preview(key, MAX_GRAPHEMES)}=${shortValue(input[key])}`)
  if (keys.length > MAX_ARGUMENTS) shown.push('…')
  return `${called}(${shown.join(', ')})`
}

function shortValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : '[…]'
  if (isObject(value)) return Object.keys(value).length === 0 ? '{}' : '{…}'
  return preview(String(value), MAX_GRAPHEMES)
}
