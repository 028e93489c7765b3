import { TreelineError } from '@treeline/core'

/** Where a page of the list ended: the last session's time and path, which order it. */
export interface ListCursor {
  readonly lastActiveMs: number
  readonly path: string
}

export function encodeCursor({ lastActiveMs, path }: ListCursor): string {
  return Buffer.from(JSON.stringify([lastActiveMs, path])).toString('base64url')
}

export function decodeCursor(text: string): ListCursor {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw badCursor()
  }
  if (!Array.isArray(value) || value.length !== 2) throw badCursor()
  const [lastActiveMs, path] = value as readonly unknown[]
  if (!Number.isSafeInteger(lastActiveMs) || typeof path !== 'string') throw badCursor()
  return { lastActiveMs: lastActiveMs as number, path }
}

function badCursor(): TreelineError {
  return new TreelineError('bad_request', 'This is no place in a list. Give `next` of the page before, or nothing.')
}
