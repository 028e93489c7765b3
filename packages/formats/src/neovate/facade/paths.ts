import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { isSafeId, TreelineError } from '@treeline/core'
import { defaultHome, homePaths, type SessionStore } from '@treeline/store'

export interface PathsOptions {
  readonly store: SessionStore
  readonly home?: string | undefined
  readonly cwd?: string | undefined
}

export interface Paths {
  /**
   * The file of a session: where it is, or where one can be begun, in a folder that is there then. An id is never a path:
   * `../x` is refused (K3).
   */
  getSessionLogPath(sessionId: string): Promise<string>
  /** Of this project, by the time of its last event and not of its file; none is `undefined` (N41, X72). */
  getLatestSessionId(): Promise<string | undefined>
}

/**
 * Where the sessions of a project are (N39, X14).
 *
 * @example
 * const paths = createPaths({ store, cwd: '/home/me/app' })
 * const id = (await paths.getLatestSessionId()) ?? Session.createSessionId()
 */
export function createPaths({ store, home = defaultHome(), cwd = process.cwd() }: PathsOptions): Paths {
  return {
    async getSessionLogPath(sessionId) {
      if (!isSafeId(sessionId)) {
        const message = `${JSON.stringify(sessionId)} cannot be the id of a session. Use letters, digits, ".", "_", "-".`
        throw new TreelineError('validation_failed', message)
      }
      if (await store.exists(sessionId)) {
        await using session = await store.open(sessionId, { readOnly: true })
        return session.path
      }
      const path = homePaths(home).sessionFile({ cwd, id: sessionId, timestamp: new Date().toISOString() })
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      return path
    },
    async getLatestSessionId() {
      const sessions = await store.list({ cwd })
      return sessions.find(({ id, problem }) => id !== undefined && problem === undefined)?.id
    },
  }
}
