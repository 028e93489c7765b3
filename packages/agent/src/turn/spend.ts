import type { Usage } from '@treeline/core'
import type { Session } from '@treeline/store'

/** Keeps count of what is spent and says when it is enough. */
export interface SpendGuard {
  /** Throws `rate_limited`, naming the limit and the setting, when a limit is reached. Costs nothing without one. */
  check(session: Session): Promise<void>
  /** Never throws: an answer is not lost because its price could not be noted. */
  note(session: Session, usage: Usage | undefined): Promise<void>
}
