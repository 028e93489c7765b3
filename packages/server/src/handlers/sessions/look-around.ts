import type { Services } from '../../services.ts'

/** Sessions that were left alone for long are looked at no more often than this; new and active ones each time. */
const WITHIN_MS = 30_000
/** A list is shown after so long in any case; whoever asks again gets what was found meanwhile. */
const MAX_WAIT_MS = 1_000

/**
 * Has the index look at what is new, and at everything when something was written here: who has said something finds it,
 * however long the session was left alone. False when it is still busy with that: the first time it reads everything.
 */
export async function lookAround({ index, list }: Pick<Services, 'index' | 'list'>): Promise<boolean> {
  const { promise: waited, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), MAX_WAIT_MS)
  const { noted, seen } = list.changes
  const looking = index.refresh(noted > seen ? {} : { withinMs: WITHIN_MS }).then(() => {
    list.noteSeen(noted)
    return true as const
  })
  // After the wait nobody hears of a failure here; the next list tells it.
  looking.catch(() => {})
  try {
    return await Promise.race([looking, waited])
  } finally {
    clearTimeout(timer)
  }
}
