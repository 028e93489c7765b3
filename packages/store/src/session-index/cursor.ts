import { TreelineError } from '@treeline/core'

/** Where a page of the list ended: what the last session is in order by, such as its time, and its path. */
export interface ListCursor {
  readonly key: number | string
  readonly path: string
}

export function encodeCursor({ key, path }: ListCursor): string {
  return Buffer.from(JSON.stringify([key, path])).toString('base64url')
}

export function decodeCursor(text: string): ListCursor {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw badCursor()
  }
  if (!Array.isArray(value) || value.length !== 2) throw badCursor()
  const [key, path] = value as readonly unknown[]
  if ((!Number.isSafeInteger(key) && typeof key !== 'string') || typeof path !== 'string') throw badCursor()
  return { key: key as number | string, path }
}

function badCursor(): TreelineError {
  return new TreelineError('bad_request', 'This is no place in a list. Give `next` of the page before, or nothing.')
}
