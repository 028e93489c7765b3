import { type Fields, isFields } from './record.ts'

/**
 * A record, with what an entry says already replaced by where it says it: `@/message/content/0/text`. So a text is stored
 * once, and the record comes back to the letter, in the order of its keys, whatever later versions make of our fields.
 *
 * `@/…` is a JSON pointer into the entry that holds the template, `@2/…` into part 2 of the line; `@data:…;base64,@/…` is
 * a data URL of what is found there; and of text that begins with `@` the `@` stands twice.
 */
const MARK = '@'
const DATA_URL = /^(data:[\w.+/-]*;base64,)(.+)$/s
/** Shorter ones cost more as a pointer. */
const MIN_CHARS = 24

/** Where the texts and objects of entries are. */
export class Places {
  private readonly byValue = new Map<unknown, string>()

  /** `part` is empty for the entry that will hold the template. */
  add(part: string, entry: Fields, key: string): void {
    this.walk(entry[key], `${MARK}${part}/${key}`)
  }

  find(value: unknown): string | undefined {
    return this.byValue.get(value)
  }

  private walk(value: unknown, pointer: string): void {
    const isLong = typeof value === 'string' && value.length >= MIN_CHARS
    const isObject = typeof value === 'object' && value !== null
    if ((isLong || isObject) && !this.byValue.has(value)) this.byValue.set(value, pointer)
    if (!isObject) return
    for (const [key, child] of Object.entries(value)) {
      this.walk(child, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    }
  }
}

export function toTemplate(value: unknown, places: Places): unknown {
  const place = places.find(value)
  if (place !== undefined) return place
  if (typeof value === 'string') return textTemplate(value, places)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => toTemplate(item, places))
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, toTemplate(child, places)]))
}

function textTemplate(text: string, places: Places): string {
  if (text.startsWith(MARK)) return MARK + text
  const [, prefix, data] = DATA_URL.exec(text) ?? []
  const place = data === undefined ? undefined : places.find(data)
  return place === undefined ? text : `${MARK}${prefix}${place}`
}

/** What a pointer leads to; `part` is its number, empty for the entry itself. */
export type FindEntry = (part: string) => unknown

/** Throws a `RangeError` for a pointer that leads nowhere. */
export function fromTemplate(template: unknown, find: FindEntry): unknown {
  if (typeof template === 'string') return template.startsWith(MARK) ? resolveText(template.slice(1), find) : template
  if (Array.isArray(template)) return template.map((item) => fromTemplate(item, find))
  if (!isFields(template)) return template
  return Object.fromEntries(Object.entries(template).map(([key, child]) => [key, fromTemplate(child, find)]))
}

function resolveText(marked: string, find: FindEntry): unknown {
  if (marked.startsWith(MARK)) return marked
  if (!marked.startsWith('data:')) return resolvePointer(marked, find)
  const at = marked.indexOf(MARK)
  const data = resolvePointer(marked.slice(at + 1), find)
  if (typeof data !== 'string') throw new RangeError(`${marked} leads to no text`)
  return marked.slice(0, at) + data
}

function resolvePointer(pointer: string, find: FindEntry): unknown {
  const [part = '', ...keys] = pointer.split('/')
  let at = find(part)
  for (const escaped of keys) {
    const key = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) {
      throw new RangeError(`${MARK}${pointer} leads nowhere`)
    }
    at = (at as Fields)[key]
  }
  return at
}
