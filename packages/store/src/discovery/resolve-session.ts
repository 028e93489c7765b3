import { resolve } from 'node:path'
import { preview, TreelineError } from '@treeline/core'
import type { IndexedSession, SessionIndex } from '../session-index/session-index.ts'

export interface ResolveOptions {
  /** The project one is in: paths are relative to it, and of several candidates its own come first. */
  readonly cwd?: string | undefined
}

export interface ResolvedSession {
  /** Absolute; for `openPath`. */
  readonly path: string
  /** What the index knows of it; not asked when a path was given. */
  readonly session: IndexedSession | undefined
}

/** Ids are shown by their last characters: the first ones are a clock, the same for all sessions of a minute. */
const SHOWN_CHARS = 8
/** Fewer are a slip rather than a choice. A whole id may be as short as it likes. */
const MIN_CHARS = 4
const MAX_CHARS = 256
const MAX_CANDIDATES = 10

/**
 * The session that is meant by an id, by the beginning or the end of one, or by a path: what has a slash in it or ends in
 * `.jsonl`. Whether there is anything at a path is for `openPath` to say. Never guesses: of several that fit none is
 * taken, and `ambiguous_id` lists them.
 */
export async function resolveSession(
  index: SessionIndex,
  text: string,
  { cwd = process.cwd() }: ResolveOptions = {},
): Promise<ResolvedSession> {
  const wanted = text.trim()
  if (wanted === '' || wanted.includes('\0')) throw noId(wanted)
  if (isPath(wanted)) return { path: resolve(cwd, wanted), session: undefined }
  const found = wanted.length > MAX_CHARS ? [] : await findSessions(index, wanted)
  const [session, ...others] = found
  if (session === undefined) throw notFound(wanted)
  if (others.length > 0) throw ambiguous(wanted, found, cwd)
  return { path: session.path, session }
}

function isPath(text: string): boolean {
  return text.includes('/') || text.endsWith('.jsonl')
}

async function findSessions(index: SessionIndex, wanted: string): Promise<readonly IndexedSession[]> {
  // Ids are written in lower case; a person may copy them from where they are not.
  for (const part of new Set([wanted, wanted.toLowerCase()])) {
    const known = await index.find(part)
    const whole = known.filter(({ id }) => id === part)
    if (whole.length > 0) return whole
    if (known.length === 0 || part.length < MIN_CHARS) continue
    // A part may fit a session made just now as well. When it fits none the index has made sure of that itself.
    await index.refresh()
    return index.find(part)
  }
  return []
}

function ambiguous(wanted: string, found: readonly IndexedSession[], cwd: string): TreelineError {
  const byTime = found.toSorted((a, b) => timeOf(b) - timeOf(a))
  const inOrder = [
    ...byTime.filter((session) => session.cwd === cwd),
    ...byTime.filter((session) => session.cwd !== cwd),
  ]
  const listed = inOrder.slice(0, MAX_CANDIDATES).map((session) => `  ${describe(session, found)}`)
  if (found.length > MAX_CANDIDATES) listed.push(`  ${found.length - MAX_CANDIDATES} more`)
  // Of copies no more of an id helps.
  const toGive =
    new Set(found.map(({ id }) => id)).size === 1
      ? 'They have the same id: give the path'
      : 'Give more of the id, or the path'
  const message = `${found.length} sessions fit ${quote(wanted)}. ${toGive}:\n${listed.join('\n')}`
  return new TreelineError('ambiguous_id', message)
}

/** By as little as tells it from the others: the end of its id, all of it, or its path when there are copies. */
function describe(session: IndexedSession, others: readonly IndexedSession[]): string {
  const { id, name, firstPrompt, cwd, lastActiveAt, path } = session
  const isAlone = (key: (other: IndexedSession) => string | undefined) =>
    others.filter((other) => key(other) === key(session)).length === 1
  const called = isAlone(shortId) ? shortId(session) : isAlone((other) => other.id) ? id : path
  const title = preview(name ?? firstPrompt ?? '', 60) || 'no prompt yet'
  // What a header says may hold anything, also what looks like another candidate.
  const parts = [preview(called ?? path, 4096), title, preview(cwd ?? '', 60), preview(lastActiveAt ?? '', 30)]
  return parts.filter(Boolean).join('  ')
}

function shortId({ id }: IndexedSession): string | undefined {
  return id?.slice(-SHOWN_CHARS)
}

function timeOf({ lastActiveAt }: IndexedSession): number {
  const time = Date.parse(lastActiveAt ?? '')
  return Number.isNaN(time) ? 0 : time
}

function notFound(wanted: string): TreelineError {
  const tooShort = wanted.length < MIN_CHARS ? ` Of an id give ${MIN_CHARS} characters or more.` : ''
  const message = `No session has an id that begins or ends with ${quote(wanted)}.${tooShort} \`treeline ls --all\` shows what there is.`
  return new TreelineError('session_not_found', message)
}

function noId(wanted: string): TreelineError {
  const message = `${quote(wanted)} names no session. Give its id, the beginning or the end of it, or a path.`
  return new TreelineError('validation_failed', message)
}

function quote(text: string): string {
  return JSON.stringify(preview(text, 80))
}
