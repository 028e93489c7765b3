import { TreelineError } from '@treeline/core'

export function notFound(path: string): TreelineError {
  return new TreelineError('session_not_found', `There is no session at ${path}. Was it moved or deleted?`)
}

/** Between catching up and opening: what was planned is not what the file now holds. */
export function replacedError(path: string): TreelineError {
  return new TreelineError('session_locked', `${path} was replaced by another program just now. Try again.`)
}

/** Another program put the log of another session where this one's was. */
export function otherSessionError(path: string, id: string, found: string): TreelineError {
  const message = `${path} holds session ${found} now, not session ${id}: another program put it there. Open the one you mean.`
  return new TreelineError('session_not_found', message)
}

export function closedError(path: string): TreelineError {
  return new TreelineError('bad_request', `The session ${path} is closed. Open it again.`)
}

const WHY_READ_ONLY = {
  asked: 'it was opened for reading; fork it to continue elsewhere',
  foreign: 'it belongs to another tool; fork it to continue here',
  damaged:
    'it holds damaged bytes; `treeline repair` mends it and `treeline fork` takes what can be read (a program may also open it with `acceptDamage`)',
  no_header: 'it has no readable header; repair it first',
  newer: 'its version is none that this program knows; fork it to continue here',
} as const
const FIRST = { line: 1, offset: 0 } as const
export type ReadOnlyReason = keyof typeof WHY_READ_ONLY

export function readOnlyError(
  path: string,
  reason: ReadOnlyReason,
  damage?: { readonly line: number; readonly offset: number },
): TreelineError {
  const code = reason === 'foreign' || reason === 'asked' ? 'forbidden' : 'session_locked'
  const message = `Session ${path} is read-only: ${WHY_READ_ONLY[reason]}.`
  if (reason === 'no_header') return new TreelineError(code, `${message} Line 1, at byte 0, is none.`, FIRST)
  if (damage === undefined) return new TreelineError(code, message)
  const { line, offset } = damage
  const where = `The first of them are in line ${line}, at byte ${offset}.`
  return new TreelineError(code, `${message} ${where}`, { line, offset })
}
