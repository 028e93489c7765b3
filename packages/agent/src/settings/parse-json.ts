import { isDeeperThan, TreelineError } from '@treeline/core'
import { type Fields, isFields } from './fields.ts'
import { findJsonError } from './json-error.ts'

/** More than any settings, and little enough to walk through. */
const MAX_DEPTH = 32
const MARK = '\ufeff'

/** The object a file of ours holds. Numbers stay as they were written where `keepsNumbers` asks for it. */
export function parseJsonObject(text: string, where: string, keepsNumbers = false): Fields {
  const plain = text.startsWith(MARK) ? text.slice(1) : text
  const value = parse(plain, where)
  if (!isFields(value)) throw refused(where, 'holds no object. Write settings between { and }')
  if (isDeeperThan(value, MAX_DEPTH))
    throw refused(where, `is nested deeper than ${MAX_DEPTH} levels. Nothing needs that`)
  return keepsNumbers ? (JSON.parse(plain, asWritten) as Fields) : value
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const offset = findJsonError(text) ?? 0
    const before = text.slice(0, offset)
    const line = before.split('\n').length
    const column = offset - before.lastIndexOf('\n')
    throw refused(where, `is not JSON, at line ${line}, column ${column}${hintAt(text, offset)}`, { line, cause })
  }
}

function hintAt(text: string, offset: number): string {
  if (text[offset] === undefined) return ': it ends too early. Complete it'
  if (/^(?:\/[/*]|#)/.test(text.slice(offset, offset + 2))) return ': it is plain JSON, without comments. Take them out'
  if (/,\s*$/.test(text.slice(0, offset)) && /[}\]]/.test(text[offset]!)) return ': take out the comma before'
  return ': it is plain JSON. Mend it there'
}

const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): unknown
  isRawJSON(value: unknown): boolean
}

/** An object of the text itself, not a number as it was written, which is an object here too. */
export function isParsedObject(value: unknown): value is Fields {
  return isFields(value) && !isRawJSON(value)
}

/** A number beyond what a number of ours can hold comes out again as it went in. */
function asWritten(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined ? rawJSON(context.source) : value
}

function refused(where: string, what: string, { line, cause }: { line?: number; cause?: unknown } = {}): TreelineError {
  const details = line === undefined ? {} : { line }
  return new TreelineError('validation_failed', `${where} ${what}.`, details, { cause })
}
