import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TreelineError } from '@treeline/core'
import { createFileStorage, type Home, openHome, type SessionStorage } from '@treeline/store'
import { type Credentials, openCredentials } from '../guard/credentials.ts'

/** A home on the real disk whose clock can be moved, gone at the end of the block. */
export interface TempCredentials extends Disposable {
  readonly home: Home
  readonly above: string
  readonly file: string
  readonly clock: { nowMs: number }
  readonly failures: readonly TreelineError[]
  /** As another process would, over the same files. */
  open(): Credentials
}

export function makeTempCredentials(change: (storage: SessionStorage) => SessionStorage = (it) => it): TempCredentials {
  const above = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-server-')))
  const home = openHome({ home: join(above, 'home'), storage: change(createFileStorage()) })
  const clock = { nowMs: Date.parse('2026-01-01T00:00:00.000Z') }
  const failures: TreelineError[] = []
  const opened: Credentials[] = []
  return {
    home,
    above,
    file: home.paths.credentialsFile,
    clock,
    failures,
    open() {
      const credentials = openCredentials({ home, onFailure: (error) => failures.push(error), now: () => clock.nowMs })
      opened.push(credentials)
      return credentials
    },
    [Symbol.dispose]: () => {
      for (const credentials of opened) credentials[Symbol.dispose]()
      home[Symbol.dispose]()
      rmSync(above, { recursive: true, force: true })
    },
  }
}
