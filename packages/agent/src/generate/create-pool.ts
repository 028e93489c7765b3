import { TreelineError } from '@treeline/core'
import type { Settings } from '../settings/settings.ts'
import type { GenerationPool } from './pool.ts'

interface Waiter {
  readonly sessionId: string
  readonly admit: () => void
}

/** First come, first served; but whoever waits for a place in a full session holds up nobody else. */
export function createPool({ perSession, total, queued }: Settings['generation']): GenerationPool {
  /** In the order they came. Of these nobody fits as things are: whoever does is let in at once. */
  const waiting = new Set<Waiter>()
  const running = new Map<string, number>()
  let taken = 0

  const fits = (sessionId: string): boolean => taken < total && (running.get(sessionId) ?? 0) < perSession

  const take = (sessionId: string): (() => void) => {
    taken++
    running.set(sessionId, (running.get(sessionId) ?? 0) + 1)
    let isIn = true
    return () => {
      if (isIn) giveBack(sessionId)
      isIn = false
    }
  }

  const giveBack = (sessionId: string): void => {
    taken--
    const left = running.get(sessionId)! - 1
    if (left === 0) running.delete(sessionId)
    else running.set(sessionId, left)
    // One place for one: nobody fitted before it was free.
    for (const waiter of waiting) {
      if (!fits(waiter.sessionId)) continue
      waiter.admit()
      return
    }
  }

  const refuseFull = (count: number, sessionId?: string, mayWait = true): void => {
    const ofSession = sessionId === undefined ? total : perSession - (running.get(sessionId) ?? 0)
    const free = Math.max(0, Math.min(total - taken, ofSession))
    if (count <= free + (mayWait ? queued - waiting.size : 0)) return
    const limit = mayWait ? `and no more than ${queued} may` : 'and this one is not to wait'
    const message = `${taken} answers are being generated and ${waiting.size} wait, ${limit}. `
    throw new TreelineError(
      'too_many_generations',
      `${message}Wait for some to end, or raise "generation.total", "generation.perSession" or "generation.queued".`,
    )
  }

  const wait = (sessionId: string, signal: AbortSignal): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const leaveLine = (): void => {
        waiting.delete(waiter)
        signal.removeEventListener('abort', giveUp)
      }
      const giveUp = (): void => {
        leaveLine()
        reject(signal.reason)
      }
      const waiter: Waiter = {
        sessionId,
        admit() {
          leaveLine()
          resolve(take(sessionId))
        },
      }
      waiting.add(waiter)
      signal.addEventListener('abort', giveUp)
    })

  return {
    async enter(sessionId, signal) {
      signal.throwIfAborted()
      if (fits(sessionId)) return take(sessionId)
      refuseFull(1, sessionId)
      return wait(sessionId, signal)
    },
    refuseFull,
  }
}
