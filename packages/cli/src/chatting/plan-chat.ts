import type { Context } from '../context.ts'
import { findTarget } from '../target.ts'
import type { ResumePlan } from '../terminal/picker/plan-resume.ts'
import type { ChatChoice } from './open-chat.ts'
import { openOwnFile } from './own-file.ts'

/**
 * Which session a chat at a terminal goes on with, and where: the user chooses, or is asked. Nothing when it begins one or
 * goes on with a session that needs no question; `left` when the user would rather not.
 */
export async function planChat(
  context: Context,
  cwd: string,
  { resume, session }: ChatChoice,
): Promise<ResumePlan | 'left' | undefined> {
  const given = session ?? resume
  if (given === undefined) return undefined
  const own = await openOwnFile(context, cwd, session)
  if (own !== undefined) return { how: 'open', path: own.path, cwd, session: own }
  // Loaded here: a chat that begins anew needs none of it.
  const { askToResume, chooseToResume } = await import('../terminal/picker/choose-to-resume.tsx')
  if (given === '') return (await chooseToResume(context, cwd)) ?? 'left'
  return (await askToResume(context, cwd, await findTarget(context, given))) ?? 'left'
}
