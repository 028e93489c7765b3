import { TreelineError } from '@treeline/core'
import type { Context } from '../context.ts'
import { paint } from '../output/style.ts'

/** The rest is counted by whoever asked, and listed with `--json`. */
const MAX_TOLD = 50

export interface Failure {
  readonly name: string
  readonly code: string
  readonly message: string
}

/** For commands that do the same to several things: one that fails keeps no other from being done (I7). */
export interface Attempts {
  /** Whether it was done. Stops everything when the user does. */
  attempt(name: string, work: () => Promise<void>): Promise<boolean>
  readonly failed: readonly Failure[]
  /** Of the first that failed. */
  readonly exitCode: number
}

export function createAttempts({ out, signal }: Pick<Context, 'out' | 'signal'>): Attempts {
  const failed: Failure[] = []
  let exitCode = 0
  return {
    failed,
    get exitCode() {
      return exitCode
    },
    async attempt(name, work) {
      signal.throwIfAborted()
      try {
        await work()
        return true
      } catch (error) {
        if (signal.aborted) throw error
        const { code, message, exitCode: ownCode } = error instanceof TreelineError ? error : bug(name, error)
        failed.push({ name, code, message })
        if (!out.isJson && failed.length <= MAX_TOLD) out.note(`${paint('bad', 'Failed')}: ${message}`)
        if (!out.isJson && failed.length === MAX_TOLD + 1) out.note(paint('bad', 'More failed; --json lists all.'))
        exitCode ||= ownCode
        return false
      }
    },
  }
}

/** What is not of the table is a bug of ours; the others are done all the same. */
function bug(name: string, error: unknown): TreelineError {
  const what = (error as Error)?.stack ?? String(error)
  return new TreelineError('internal', `${name}: something went wrong that should not have: ${what}`)
}
