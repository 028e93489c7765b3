import { TreelineError } from '@treeline/core'
import { createFileStorage, type Session, type SessionStorage } from '@treeline/store'
import type { Clock } from '../clock.ts'
import type { Settings } from '../settings/settings.ts'
import { readCost } from './entry-cost.ts'
import { SessionSpend } from './session-spend.ts'
import type { SpendGuard } from './spend.ts'
import { SpendLedger } from './spend-ledger.ts'

interface SpendGuardOptions {
  readonly settings: Settings['spend']
  /** Where the ledgers are, one for each day. */
  readonly spendDir: string
  readonly clock: Pick<Clock, 'now'>
  readonly storage?: SessionStorage | undefined
}

/**
 * Of a session counts what its log says, of a day what all processes of this home have noted. A call under way is not
 * stopped: with several at once the last ones may go beyond a limit.
 */
export function createSpendGuard(options: SpendGuardOptions): SpendGuard {
  const { settings, spendDir, clock, storage = createFileStorage() } = options
  const { perSession, perDay } = settings
  const ledger = new SpendLedger(storage, spendDir)
  const sessions = new WeakMap<Session, SessionSpend>()

  const spentIn = (session: Session): Promise<number> => {
    const known = sessions.get(session) ?? new SessionSpend(session)
    sessions.set(session, known)
    return known.total()
  }

  return {
    async check(session) {
      if (perDay !== undefined) refuseBeyond(perDay, ledger.total(clock.now()), 'perDay')
      if (perSession !== undefined) refuseBeyond(perSession, await spentIn(session), 'perSession')
    },
    async note(session, usage) {
      const cost = readCost(usage)
      if (cost > 0) ledger.add(clock.now(), session.id, cost)
    },
  }
}

const SUBJECTS = { perDay: 'All sessions together have cost', perSession: 'This session has cost' } as const

function refuseBeyond(limit: number, spent: number, setting: keyof typeof SUBJECTS): void {
  if (spent < limit) return
  const when = setting === 'perDay' ? ' today' : ''
  throw new TreelineError(
    'rate_limited',
    `${SUBJECTS[setting]} ${dollars(spent)}${when}, and the limit is ${dollars(limit)}. ` +
      `To go on, raise or remove the setting "spend.${setting}".`,
  )
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`
}
