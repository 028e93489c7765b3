import type { Context } from '../../context.ts'
import { ChoiceView } from '../dialog/ChoiceView.tsx'
import type { ChoiceQuestion } from '../dialog/dialog.ts'
import type { Picked } from './picker-row.ts'
import { planResume, type ResumePlan } from './plan-resume.ts'
import { renderAlone } from './render-alone.tsx'
import { SessionPicker } from './SessionPicker.tsx'

/** Before a chat: the user chooses a session. `undefined` when they leave; who goes back from the question chooses again. */
export async function chooseToResume(context: Context, cwd: string): Promise<ResumePlan | undefined> {
  for (;;) {
    const picked = await pickSession(context, cwd)
    if (picked === undefined) return undefined
    const plan = await planResume(context, cwd, picked, (question) => askAlone(context, question))
    if (plan !== undefined) return plan
  }
}

/** The same for a session that was named. */
export function askToResume(context: Context, cwd: string, path: string): Promise<ResumePlan | undefined> {
  return planResume(context, cwd, { path }, (question) => askAlone(context, question))
}

function pickSession(context: Context, cwd: string): Promise<Picked | undefined> {
  return renderAlone(context, (size, answer) => (
    <SessionPicker {...size} context={context} cwd={cwd} onPick={answer} onClose={() => answer(undefined)} />
  ))
}

function askAlone<T extends string>(context: Context, question: ChoiceQuestion<T>): Promise<T | undefined> {
  return renderAlone(context, (size, answer) => (
    <ChoiceView {...size} question={question} answer={(value) => answer(value as T | undefined)} />
  ))
}
