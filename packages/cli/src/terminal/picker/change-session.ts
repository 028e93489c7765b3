import { TreelineError } from '@treeline/core'
import { trashSession } from '@treeline/store'
import type { Context } from '../../context.ts'
import { t } from '../../output/language.ts'
import { shortId } from '../../output/short-id.ts'
import { openTarget } from '../../target.ts'
import type { RowFacts } from './picker-row.ts'

/** Why nothing is changed about a session of another tool; nothing for one of our own. */
export function refusalOf({ source }: RowFacts): string | undefined {
  if (source === 'treeline') return undefined
  return t('{tool} keeps this session; Treeline leaves it as it is. Enter opens a copy.', {
    tool: source,
  })
}

/** No text takes the name away. */
export async function renameSession(context: Context, { path }: RowFacts, name: string): Promise<void> {
  await using opened = await openTarget(context, path, { write: true })
  await opened.session.rename(name === '' ? null : name)
}

/** Tells how it comes back, or why it stays. */
export async function trashPicked(
  context: Context,
  { path }: RowFacts,
): Promise<{ readonly isGone: boolean; readonly text: string }> {
  try {
    const { trashId } = await trashSession(await context.home(), path)
    return { isGone: true, text: t('In the trash. Bring it back: treeline restore {id}', { id: shortId(trashId) }) }
  } catch (error) {
    if (!(error instanceof TreelineError) || error.code !== 'session_locked') throw error
    const text = t('It stays: it is open, or was written to just now. Close it everywhere, then try again.')
    return { isGone: false, text }
  }
}
