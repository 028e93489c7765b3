import { isErrorCode } from '@treeline/core'
import { RefusedError } from '@treeline/protocol'
import { t } from './language.ts'
import { NEEDS_DETAIL, problemText } from './problem-texts.ts'

/** What went wrong and what to do about it, in the reader's language; on a line of its own what the server says, in its. */
export function explainProblem(error: unknown): string {
  if (error instanceof RefusedError) return explainRefusal(error.problem.code, error.message)
  // What a browser throws when nobody answers.
  if (error instanceof TypeError) {
    return t('The server cannot be reached. It may have been stopped; what you wrote is kept here.')
  }
  return error instanceof Error ? error.message : String(error)
}

/** The same where something else was said before it: why, in one line. */
export function reasonFor(code: string, detail: string): string {
  return isErrorCode(code) && !NEEDS_DETAIL.has(code) ? problemText(code) : detail
}

/** Of a code that is newer than this page, the server's words. */
export function explainRefusal(code: string, detail: string): string {
  if (!isErrorCode(code)) return detail
  return NEEDS_DETAIL.has(code) && detail !== '' ? `${problemText(code)}\n${detail}` : problemText(code)
}
