import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, constants, fchmodSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { columnsKey } from '../log/columns-key.ts'
import type { HomePaths } from '../paths.ts'
import { errnoOf, storageError } from '../storage-error.ts'
import { type AliveLock, holdAliveLock, isAlive, removeFile } from './alive-lock.ts'
import type { OpenLogs, Presence } from './presence.ts'

const NONCE_CHARS = 24
const TOKEN = /^[0-9a-f]{24}$/
/** `<nonce>.lock`, and one `<nonce>-<key>` for every log that is open. */
const NAME = /^[0-9a-f]{24}(?:\.lock|-[A-Za-z0-9._-]+)$/
const MARKER_FLAGS = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW

/** Nothing is on the disk before the first log is entered. From then on each costs one empty file, without a sync. */
export function createFilePresence(paths: HomePaths): Presence {
  return new FilePresence(paths)
}

/** Of all logs that are marked as open, as `columnsKey` names them; those of killed processes too. Changes nothing. */
export function listMarkedKeys({ presence }: HomePaths): Set<string> {
  const markers = listNames(presence).filter(isMarker)
  return new Set(markers.map(keyOf))
}

interface Own {
  readonly nonce: string
  readonly lock: AliveLock
}

class FilePresence implements Presence {
  problem: string | undefined
  private readonly paths: HomePaths
  private readonly users = new Map<string, number>()
  private own: Own | undefined
  private isClosed = false

  constructor(paths: HomePaths) {
    this.paths = paths
  }

  enter(path: string): () => void {
    const key = columnsKey(this.paths, path)
    const users = this.users.get(key) ?? 0
    this.users.set(key, users + 1)
    if (users === 0) this.attempt(() => this.mark(key))
    let isIn = true
    return () => {
      if (isIn) this.leave(key)
      isIn = false
    }
  }

  openLogs(): OpenLogs {
    const { paths } = this
    const keys = this.readKeys()
    return { has: (path) => keys.has(columnsKey(paths, path)) }
  }

  get token(): string | undefined {
    // Nobody would take away what was made after the end.
    if (this.own === undefined && !this.isClosed) this.attempt(() => this.makeOwn())
    return this.own?.nonce
  }

  isAlive(token: string): boolean {
    const { presence } = this.paths
    if (!TOKEN.test(token)) return false
    if (token === this.own?.nonce) return true
    try {
      // Markers of a dead one are found without their lock, and go with the next look at all of them.
      return isAlive(lockFile(presence, token), () => {})
    } catch (error) {
      throw storageError(error, 'It cannot be known whether another process lives', presence)
    }
  }

  close(): void {
    const { own } = this
    this.isClosed = true
    if (own === undefined) return
    this.attempt(() => {
      for (const key of this.users.keys()) removeFile(this.markerFile(own, key))
      this.users.clear()
      own.lock.remove()
      this.own = undefined
      // Whoever was killed is cleaned up after, also where nobody ever keeps house.
      this.readKeys()
    })
  }

  private leave(key: string): void {
    const users = this.users.get(key)
    if (users === undefined) return
    if (users > 1) {
      this.users.set(key, users - 1)
      return
    }
    this.users.delete(key)
    const { own } = this
    if (own !== undefined) this.attempt(() => removeFile(this.markerFile(own, key)))
  }

  private makeOwn(): Own {
    this.own ??= makeOwn(this.paths.presence)
    return this.own
  }

  private mark(key: string): void {
    const file = openSync(this.markerFile(this.makeOwn(), key), MARKER_FLAGS, 0o600)
    try {
      fchmodSync(file, 0o600)
    } finally {
      closeSync(file)
    }
  }

  /** Being seen is worth a try, and no more: the session is what the caller wants. */
  private attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      const what = 'Open sessions cannot be shown to other processes'
      this.problem = storageError(error, what, this.paths.presence).message
    }
  }

  private readKeys(): Set<string> {
    const { presence } = this.paths
    try {
      const keys = new Set<string>()
      for (const [nonce, names] of groupNames(listNames(presence))) {
        const markers = names.filter(isMarker)
        const clean = () => {
          for (const name of markers) removeFile(join(presence, name))
        }
        if (!isAlive(lockFile(presence, nonce), clean)) continue
        for (const name of markers) keys.add(keyOf(name))
      }
      return keys
    } catch (error) {
      throw storageError(error, 'It cannot be known which sessions are open', presence)
    }
  }

  private markerFile({ nonce }: Own, key: string): string {
    return join(this.paths.presence, `${nonce}-${key}`)
  }
}

function makeOwn(folder: string): Own {
  ensureFolder(folder)
  const nonce = randomBytes(NONCE_CHARS / 2).toString('hex')
  return { nonce, lock: holdAliveLock(lockFile(folder, nonce)) }
}

function lockFile(folder: string, nonce: string): string {
  return join(folder, `${nonce}.lock`)
}

function ensureFolder(folder: string): void {
  try {
    mkdirSync(folder, 0o700)
    chmodSync(folder, 0o700)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  }
}

function isMarker(name: string): boolean {
  return name[NONCE_CHARS] === '-'
}

function keyOf(marker: string): string {
  return marker.slice(NONCE_CHARS + 1)
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => NAME.test(name))
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  }
}

function groupNames(names: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const name of names) {
    const nonce = name.slice(0, NONCE_CHARS)
    const group = groups.get(nonce)
    if (group === undefined) groups.set(nonce, [name])
    else group.push(name)
  }
  return groups
}
