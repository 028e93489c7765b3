import { locksClosed, type SessionLocks } from './locks.ts'

type Work = () => void

/** Locks within one process. Since work is synchronous, only work begun from inside other work ever waits. */
export function createMemoryLocks(): SessionLocks {
  /** A session is in here while its lock is held or somebody waits for it. */
  const queues = new Map<string, Work[]>()
  let closed = false

  function serve(sessionId: string, queue: Work[]): void {
    for (const work of queue.splice(0)) work()
    leave(sessionId, queue)
  }

  function leave(sessionId: string, queue: Work[]): void {
    if (queue.length === 0) queues.delete(sessionId)
    else setImmediate(serve, sessionId, queue)
  }

  return {
    run(sessionId, work) {
      if (closed) return Promise.reject(locksClosed())
      return new Promise((resolve, reject) => {
        const settle = () => {
          try {
            resolve(work())
          } catch (error) {
            reject(error)
          }
        }
        const queue = queues.get(sessionId)
        if (queue !== undefined) {
          queue.push(settle)
          return
        }
        const own: Work[] = []
        queues.set(sessionId, own)
        settle()
        leave(sessionId, own)
      })
    },
    close() {
      closed = true
    },
  }
}
