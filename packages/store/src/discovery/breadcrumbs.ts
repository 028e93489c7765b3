import { dirname, isAbsolute, resolve } from 'node:path'
import { TreelineError } from '@treeline/core'
import type { Home } from '../home.ts'
import { readListedId } from '../session/summary.ts'
import { storageError } from '../storage-error.ts'

/** Where a terminal was, and what it worked on there. */
export interface Breadcrumb {
  readonly cwd: string
  /** Of the session's log; absolute. */
  readonly path: string
}

/** More than two of the longest paths there are. */
const MAX_BYTES = 16 * 1024
const TWO_LINES = /^([^\n\0]+)\n([^\n\0]+)\n$/

/** By file, the write under way and those behind it. */
const writing = new Map<string, Promise<void>>()

/** Two lines, the project and the session (S3); whole or not at all. Of several calls the last one stays. */
export async function writeBreadcrumb(home: Home, terminalId: string, { cwd, path }: Breadcrumb): Promise<void> {
  const file = home.paths.breadcrumbFile(terminalId)
  const text = `${resolve(cwd)}\n${resolve(path)}\n`
  if (!TWO_LINES.test(text)) throw unwritable(text)
  // One that failed was told so, and is no reason for the next to fail.
  const before = (writing.get(file) ?? Promise.resolve()).catch(() => {})
  const written = before.then(() => replaceText(home, file, text))
  writing.set(file, written)
  try {
    await written
  } finally {
    if (writing.get(file) === written) writing.delete(file)
  }
}

/** The session this terminal worked on in this project, if it still is one. It may be another tool's. */
export async function readBreadcrumb(home: Home, terminalId: string, cwd: string): Promise<string | undefined> {
  const [project, path] = await readLines(home, home.paths.breadcrumbFile(terminalId))
  if (project === undefined || path === undefined || project !== resolve(cwd)) return undefined
  if (!isAbsolute(path) || !path.endsWith('.jsonl')) return undefined
  return readListedId(home.storage, path) === undefined ? undefined : path
}

/**
 * For `continueRecent`: this terminal's session first. Without a terminal there is none.
 *
 * @example
 * const terminalId = findTerminalId()
 * const session = await store.continueRecent({ cwd, preferred: preferredBy(home, terminalId) })
 * await leaveBreadcrumb(home, terminalId, { cwd, path: session.path })
 */
export function preferredBy(home: Home, terminalId: string | undefined): (cwd: string) => Promise<string | undefined> {
  return async (cwd) => (terminalId === undefined ? undefined : readBreadcrumb(home, terminalId, cwd))
}

/**
 * For whoever opened or made a session. It goes on without a breadcrumb too, so what keeps one from being written is
 * handed back to be shown, not thrown.
 */
export async function leaveBreadcrumb(
  home: Home,
  terminalId: string | undefined,
  crumb: Breadcrumb,
): Promise<TreelineError | undefined> {
  if (terminalId === undefined) return undefined
  try {
    await writeBreadcrumb(home, terminalId, crumb)
    return undefined
  } catch (error) {
    if (error instanceof TreelineError) return error
    throw error
  }
}

async function replaceText({ storage }: Home, file: string, text: string): Promise<void> {
  try {
    storage.ensureDirSync(dirname(file))
    await storage.writeText(file, text)
  } catch (error) {
    throw storageError(error, 'What this terminal works on could not be noted', file)
  }
}

async function readLines({ storage }: Home, file: string): Promise<string[]> {
  try {
    const text = await storage.readTextPrefix(file, MAX_BYTES)
    return TWO_LINES.exec(text)?.slice(1) ?? []
  } catch {
    // Missing mostly. It is a hint: one that cannot be read, for whatever reason, is as good as none.
    return []
  }
}

function unwritable(text: string): TreelineError {
  const shown = JSON.stringify(text.slice(0, 200))
  return new TreelineError(
    'validation_failed',
    `A path with a line end in it cannot be noted for this terminal: ${shown}.`,
  )
}
