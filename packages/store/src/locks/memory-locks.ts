import { type AroundLock, locksClosed, type SessionLocks } from './locks.ts'

/** Does its work, and returns what is left to do when the lock is free again. */
type Work = () => () => void

/** Locks within one process. Since work is synchronous, only work begun from inside other work ever waits. */
export function createMemoryLocks(): SessionLocks {
  /** A session is in here while its lock is held or somebody waits for it. */
  const queues = new Map<string, Work[]>()
  let closed = false

  function serve(sessionId: string, queue: Work[], works: readonly Work[]): void {
    const ends = works.map((work) => work())
    if (queue.length === 0) queues.delete(sessionId)
    else setImmediate(() => serve(sessionId, queue, queue.splice(0)))
    for (const end of ends) end()
  }

  return {
    run(sessionId, work, around) {
      if (closed) return Promise.reject(locksClosed())
      return new Promise((resolve, reject) => {
        const own = settling(work, around, resolve, reject)
        const queue = queues.get(sessionId)
        if (queue !== undefined) {
          queue.push(own)
          return
        }
        const others: Work[] = []
        queues.set(sessionId, others)
        serve(sessionId, others, [own])
      })
    },
    close() {
      closed = true
    },
  }
}

function settling<T>(
  work: () => T,
  around: AroundLock | undefined,
  resolve: (result: T) => void,
  reject: (error: unknown) => void,
): Work {
  const attempt = (step: () => () => void): (() => void) => {
    try {
      return step()
    } catch (error) {
      return () => reject(error)
    }
  }
  return () =>
    attempt(() => {
      const result = work()
      const end = (): (() => void) => {
        around?.afterwards?.()
        return () => resolve(result)
      }
      return () => attempt(end)()
    })
}
