import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Session } from '@treeline/store'
import type { Context } from '../../context.ts'
import { t } from '../../output/language.ts'
import type { ChoiceQuestion } from '../dialog/dialog.ts'
import type { Picked } from './picker-row.ts'

/** How a session is gone on with. */
export interface ResumePlan extends Picked {
  readonly how: 'open' | 'fork'
  /** The project in which. */
  readonly cwd: string
  /** What had to be opened to know that; it is for whoever carries the plan out. */
  readonly session?: Session | undefined
}

type Where = 'fork' | 'there' | 'back'
type AskWhere = (question: ChoiceQuestion<Where>) => Promise<Where | undefined>

/**
 * One of this project is gone on with as it is, one of another tool as a copy; of one of another project the user is
 * asked. `undefined` when they go back.
 */
export async function planResume(
  context: Context,
  cwd: string,
  picked: Picked,
  ask: AskWhere,
): Promise<ResumePlan | undefined> {
  const { paths } = await context.home()
  if (!paths.isSessionFile(picked.path)) return { ...picked, how: 'fork', cwd }
  const session = await (await context.store()).openPath(picked.path)
  const there = session.header.cwd
  if (there === '' || resolve(there) === cwd) return { ...picked, how: 'open', cwd, session }
  const where = await ask(whereQuestion(there, cwd))
  if (where === 'there') return { ...picked, how: 'open', cwd: resolve(there), session }
  await session.close()
  return where === 'fork' ? { ...picked, how: 'fork', cwd } : undefined
}

function whereQuestion(there: string, here: string): ChoiceQuestion<Where> {
  const hasFolder = existsSync(there)
  const body = hasFolder
    ? t('It is about {there}, and you are in {here}.', { there, here })
    : t('It is about {there}, which is not there any more, and you are in {here}.', { there, here })
  return {
    title: t('This session belongs to another project.'),
    body,
    choices: [
      { value: 'fork', key: 'f', label: t('fork it here: a copy goes on in this folder, the session stays as it is') },
      ...(hasFolder ? [{ value: 'there' as const, key: 'g', label: t('go on there, in its own folder') }] : []),
      { value: 'back', key: 'b', label: t('back') },
    ],
  }
}
