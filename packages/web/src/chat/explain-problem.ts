import { RefusedError } from '@treeline/protocol'
import { tell } from '../shell/notices.ts'
import { t } from '../words/language.ts'

/** What went wrong and what to do about it. */
export function explainProblem(error: unknown): string {
  if (error instanceof RefusedError) {
    const advice = adviceFor(error.problem.code)
    return advice === undefined ? error.message : `${error.message} ${advice}`
  }
  // What a browser throws when nobody answers.
  if (error instanceof TypeError) {
    return t('The server cannot be reached. It may have been stopped; what you wrote is kept here.')
  }
  return error instanceof Error ? error.message : String(error)
}

export function tellExplained(error: unknown): void {
  tell(explainProblem(error), { kind: 'problem' })
}

function adviceFor(code: string): string | undefined {
  switch (code) {
    case 'too_many_generations':
      return t('Stop one of the answers, or wait until one is done.')
    case 'rate_limited':
      return t('Wait a moment, then try again.')
    case 'context_overflow':
      return t('Mute what is not needed, compact the line, or choose a model with more room.')
    case 'parent_generating':
      return t('Wait until that answer is done, or go on from an earlier message.')
    case 'unauthorized':
    case 'forbidden':
      return t('Open the address that `treeline serve` prints once more.')
    case 'session_locked':
      return t('Run `treeline doctor` to repair it.')
    case 'storage_full':
      return t('Free some room on the disk, then try again.')
    case 'linear_mode':
      return t('Switch the session to the tree to do this.')
    default:
      return undefined
  }
}
