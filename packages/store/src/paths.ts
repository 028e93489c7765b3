import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { isSafeId, TreelineError } from '@treeline/core'

/** Every path under `<home>`. They are built here and nowhere else, from parts that were checked here (K3). */
export interface HomePaths {
  readonly home: string
  readonly sessions: string
  readonly blobs: string
  readonly locks: string
  readonly index: string
  /** The database of the index; a cache. */
  readonly indexFile: string
  /** Held by the process that brings the index up to date. */
  readonly indexLock: string
  /** The page that was listed last; a cache of the index. */
  readonly savedPage: string
  readonly historyFile: string
  /** Where a history that cannot be read is kept; `nonce` keeps several apart. */
  damagedHistoryFile(nonce: string): string
  /** What was removed and can be brought back, one folder per removal. */
  readonly trash: string
  /** One line for everything that was ever removed, purged, repaired or scrubbed. */
  readonly auditFile: string
  /** Which logs outside of the home were continued in place: they name blobs that are here. */
  readonly inPlace: string
  /** Which processes have which sessions open. */
  readonly presence: string
  /** Work of a scrub that has to be finished, whatever happens. */
  readonly scrub: string
  /** Files that are being sent to the server, until they are taken in. */
  readonly incoming: string
  /** Keys of model providers. Secret: nothing copies it, not even a backup. */
  readonly authFile: string
  /** Who may ask the server, as hashes. In a folder of its own; nothing copies it either. */
  readonly credentialsFile: string
  readonly settingsFile: string
  /** Which projects' own settings the user trusts. */
  readonly trustFile: string
  /** What models cost, by day. */
  readonly spendDir: string
  /** The folder for the sessions of one working directory (S1). */
  sessionDir(cwd: string): string
  sessionFile(session: SessionName): string
  columnsFile(sessionId: string): string
  /** Text of answers still being generated, one file per node. */
  partialDir(sessionId: string): string
  partialFile(sessionId: string, nodeId: string): string
  /** `hash` is 64 lower-case hex digits. */
  blobFile(hash: string): string
  /** Where a blob is written before it gets its name; `nonce` keeps writers apart. */
  blobTempFile(hash: string, nonce: string): string
  trashItem(trashId: string): string
  /** The session this terminal worked on last (S3). */
  breadcrumbFile(terminalId: string): string
  /** One of the 256 lock databases. */
  lockFile(number: number): string
  /** Whether it is where our own logs are, `<home>/sessions/<folder>/<name>.jsonl`. By the names alone: links are not looked through. */
  isSessionFile(path: string): boolean
}

export interface SessionName {
  readonly cwd: string
  readonly id: string
  /** ISO 8601, as in the session's header. */
  readonly timestamp: string
}

const HASH = /^[a-f0-9]{64}$/
const TIMESTAMP = /^\d[\dTZ:.+-]{0,63}$/
const MAX_NAME_BYTES = 255
const HASH_CHARS = 16

/** `$TREELINE_HOME`, or `.treeline` in the user's home. */
export function defaultHome(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return env.TREELINE_HOME ? resolve(env.TREELINE_HOME) : join(env.HOME || homedir(), '.treeline')
}

export function homePaths(homeDir: string): HomePaths {
  if (homeDir === '' || homeDir.includes('\0')) throw refused('a home folder', homeDir, 'Give the path of a folder')
  const home = resolve(homeDir)
  const sessions = join(home, 'sessions')
  const blobs = join(home, 'blobs')
  const locks = join(home, 'locks')
  const index = join(home, 'index')
  const partial = join(home, 'partial')
  const trash = join(home, 'trash')
  const sessionDir = (cwd: string) => join(sessions, encodeCwd(cwd))
  const partialDir = (sessionId: string) => join(partial, checkId(sessionId))
  return {
    home,
    sessions,
    blobs,
    locks,
    index,
    indexFile: join(index, 'index.db'),
    indexLock: join(index, 'indexer.lock'),
    savedPage: join(index, 'page.saved'),
    historyFile: join(home, 'history.db'),
    damagedHistoryFile: (nonce) => join(home, `history.db.damaged-${checkId(nonce)}`),
    trash,
    auditFile: join(home, 'audit.jsonl'),
    inPlace: join(home, 'in-place'),
    presence: join(home, 'open'),
    scrub: join(home, 'scrub'),
    incoming: join(home, 'incoming'),
    authFile: join(home, 'auth.json'),
    credentialsFile: join(home, 'server', 'credentials.json'),
    settingsFile: join(home, 'settings.json'),
    trustFile: join(home, 'trusted-projects.json'),
    spendDir: join(home, 'spend'),
    sessionDir,
    sessionFile: ({ cwd, id, timestamp }) =>
      join(sessionDir(cwd), `${encodeTimestamp(timestamp)}_${checkId(id)}.jsonl`),
    columnsFile: (sessionId) => join(index, `${checkId(sessionId)}.cols`),
    partialDir,
    partialFile: (sessionId, nodeId) => join(partialDir(sessionId), checkId(nodeId)),
    blobFile: (hash) => join(blobs, checkHash(hash)),
    blobTempFile: (hash, nonce) => join(blobs, `.${checkHash(hash)}.${checkId(nonce)}.tmp`),
    trashItem: (trashId) => join(trash, checkId(trashId)),
    breadcrumbFile: (terminalId) => join(home, 'terminal-sessions', checkId(terminalId)),
    lockFile: (number) => join(locks, lockName(number)),
    isSessionFile: (path) => path.endsWith('.jsonl') && dirname(dirname(resolve(path))) === sessions,
  }
}

/** As Pi, xcsh and oh-my-pi name it. A name too long for a file system is cut and made unique by a hash of the whole. */
function encodeCwd(cwd: string): string {
  if (cwd.includes('\0')) throw refused('a working directory', cwd, 'It contains a NUL character')
  const encoded = cwd.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')
  const name = `--${encoded}--`
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name
  const hash = createHash('sha256').update(cwd).digest('hex').slice(0, HASH_CHARS)
  const ending = `-${hash}--`
  return `--${cutToBytes(encoded, MAX_NAME_BYTES - 2 - ending.length)}${ending}`
}

function cutToBytes(text: string, limit: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(limit))
  return text.slice(0, read)
}

function encodeTimestamp(timestamp: string): string {
  if (!TIMESTAMP.test(timestamp)) throw refused('a timestamp', timestamp, 'Use ISO 8601')
  return timestamp.replace(/[:.]/g, '-')
}

function checkId(id: string): string {
  if (!isSafeId(id)) throw refused('an id', id, 'Use letters, digits, ".", "_", "-"')
  return id
}

function checkHash(hash: string): string {
  if (!HASH.test(hash)) throw refused('the hash of a blob', hash, 'Use 64 lower-case hex digits')
  return hash
}

function lockName(number: number): string {
  if (!Number.isInteger(number) || number < 0 || number > 255) {
    throw refused('the number of a lock', String(number), 'Use 0 to 255')
  }
  return number.toString(16).padStart(2, '0')
}

function refused(what: string, value: string, remedy: string): TreelineError {
  return new TreelineError('validation_failed', `${JSON.stringify(value.slice(0, 80))} cannot be ${what}. ${remedy}.`)
}
