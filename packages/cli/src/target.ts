import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { TreelineError } from '@treeline/core'
import { type OpenedFile, openSessionFile } from '@treeline/formats'
import { findLogsByEnd, resolveSession } from '@treeline/store'
import type { Context } from './context.ts'
import { shellWord } from './output/shell-word.ts'
import { shortId } from './output/short-id.ts'

export interface TargetOptions {
  /** The session is to be changed. */
  readonly write?: boolean
  /** Also one of another tool, where it is. */
  readonly inPlace?: boolean | undefined
}

/**
 * The session that is meant by a path, an id, or a part of one; without any, the one of this project that was active last.
 * One of another tool is only read, unless it is to be changed in place.
 */
export async function openTarget(
  context: Context,
  text: string | undefined,
  { write = false, inPlace = false }: TargetOptions = {},
): Promise<OpenedFile> {
  const path = await findTarget(context, text)
  const store = await context.store()
  const opened = await openSessionFile(store, path, write ? { inPlace } : { readOnly: true })
  const why = write ? refusalOf(opened) : undefined
  if (why === undefined) return opened
  await opened[Symbol.asyncDispose]()
  throw why
}

/**
 * As much of an id as is shown, or more: chance alone made it, so no other tool has the same, and an index that was never
 * built need not be waited for. A beginning is a clock's, and fits whatever was begun in that minute.
 */
const SHOWN_END = /^[0-9a-f-]{8,36}$/i

/** The path of the session that is meant, whether or not anything can be opened there. */
export async function findTarget(context: Context, text: string | undefined): Promise<string> {
  if (text === undefined) return findLatest(context)
  if (text.includes('/') || /\.jsonl?$/.test(text)) return resolve(context.cwd, text)
  const own = SHOWN_END.test(text) ? findLogsByEnd(await context.home(), text) : []
  if (own.length === 1) return own[0]!
  const index = await context.index()
  try {
    // Seldom needed, and one file less to load for all others.
    const id = text.includes('..') ? await (await import('./listing/session-names.ts')).wholeId(index, text) : text
    return (await resolveSession(index, id, { cwd: context.cwd })).path
  } catch (error) {
    const file = resolve(context.cwd, text)
    if (error instanceof TreelineError && error.code === 'session_not_found' && existsSync(file)) return file
    throw error
  }
}

async function findLatest(context: Context): Promise<string> {
  const { sessions } = await (await context.index()).list({ cwd: context.cwd, limit: 1, fresh: true })
  const [latest] = sessions
  if (latest !== undefined) return latest.path
  const message = `There is no session of ${context.cwd} yet. Name one by path or id; \`treeline ls --all\` shows all.`
  throw new TreelineError('session_not_found', message)
}

/** Why a session that is to be changed cannot be; says what can be done instead. */
function refusalOf({ session, path, format, translation }: OpenedFile): TreelineError | undefined {
  const { access } = session
  const shown = shellWord(path)
  const take = `Take it in with \`treeline import ${shown}\` and change that`
  if (translation !== undefined)
    return forbidden(`${shown} is of ${format}, which Treeline reads but does not change. ${take}.`)
  if (access.mode === 'write') return undefined
  switch (access.reason) {
    case 'foreign':
      return forbidden(`${shown} belongs to ${format}. ${take}, or change the file itself with --in-place.`)
    case 'newer':
      return forbidden(`${shown} is of a version that this Treeline does not know. Update Treeline.`)
    case 'damaged':
    case 'no_header':
      return new TreelineError(
        'damaged',
        `${shown} is damaged. \`treeline repair ${shown}\` makes a sound copy to go on with.`,
      )
    case 'asked':
      return forbidden(`${shown} was opened for reading only.`)
  }
}

/** A session that is open, as it is typed in a command that is suggested: as the user did, or by its id. */
export function typedName({ session: { id }, path }: Pick<OpenedFile, 'session' | 'path'>, given?: string): string {
  if (given !== undefined) return shellWord(given)
  return /^[\w-]{4,}$/.test(id) ? shortId(id) : shellWord(path)
}

function forbidden(message: string): TreelineError {
  return new TreelineError('forbidden', message)
}
