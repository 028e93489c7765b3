import { forkHere } from '../../chatting/fork-here.ts'
import { numberText } from '../../output/amount.ts'
import { t } from '../../output/language.ts'
import { shellWord } from '../../output/shell-word.ts'
import { shortId } from '../../output/short-id.ts'
import type { ChatActions } from '../chat-actions.ts'
import { goToNode } from '../go-to-node.ts'
import type { Picked } from './picker-row.ts'
import { planResume, type ResumePlan } from './plan-resume.ts'

/** Goes on with another session in a running chat. `false` when the user would rather choose again. */
export async function resumeHere(actions: ChatActions, picked: Picked): Promise<boolean> {
  const { context, cwd, session: before } = actions
  if (picked.path === before.path) {
    await landAt(actions, picked)
    if (picked.nodeId === undefined) actions.show(t('You are in it.'))
    return true
  }
  const plan = await planResume(context, cwd, picked, (question) => actions.choose(question))
  if (plan === undefined) return false
  if (plan.cwd !== cwd) {
    await plan.session?.close()
    // A chat has one folder, for its tools and for what the model is told.
    actions.show(
      t('It goes on in its own folder, with a chat of its own: {command}', {
        command: `cd ${shellWord(plan.cwd)} && treeline -r ${plan.session === undefined ? '' : shortId(plan.session.id)}`,
      }),
    )
    return true
  }
  await switchTo(actions, plan)
  const id = shortId(actions.session.id)
  const values = { id, before: shortId(before.id) }
  actions.show(
    plan.how === 'fork'
      ? t('It belongs elsewhere, so this is a copy of it: {id}. The one before: /resume {before}', values)
      : t('Here it goes on. The one before: /resume {before}', values),
  )
  await landAt(actions, picked)
  return true
}

async function switchTo(actions: ChatActions, { how, path, nodeId, session: opened }: ResumePlan): Promise<void> {
  const { context, cwd, agent } = actions
  const problems: string[] = []
  const store = await context.store()
  const session =
    opened ??
    (how === 'open'
      ? await store.openPath(path)
      : await forkHere(store, path, { cwd, nodeId, warn: (message) => problems.push(message) }))
  try {
    const { closed, calls, commandIds, problems: found } = await agent.recover(session)
    const count = closed.length + calls.length + commandIds.length
    if (count > 0)
      problems.push(t('A crash cut off {count} things: marked, nothing was run again.', { count: numberText(count) }))
    problems.push(...found.map(({ message }) => message))
  } catch (error) {
    await session.close()
    throw error
  }
  await actions.switchTo(session)
  for (const message of problems) actions.warn(message)
}

/** Where something was found. A copy has only what can be seen from its end. */
async function landAt(actions: ChatActions, { nodeId }: Picked): Promise<void> {
  if (nodeId === undefined) return
  if (actions.session.tree.ids.find(nodeId) > 0) await goToNode(actions, nodeId)
  else actions.warn(t('What was found is not in this copy, so it goes on at its end.'))
}
