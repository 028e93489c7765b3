import type { EditPlan } from '@treeline/core'
import type { Session } from '@treeline/store'
import { describeEdit } from '../../editing/describe-edit.ts'
import type { ChatActions } from '../chat-actions.ts'
import { t } from '../language.ts'
import type { SlashCommand } from './slash-command.ts'

export const undoCommand: SlashCommand = {
  name: 'undo',
  help: () => t('take back the latest change of the tree'),
  async run(actions) {
    const { session } = actions
    const plan = await session.undo()
    await tell(actions, plan, takenBack(session, plan.entry?.id), (edit) => t('Undone: {edit}.', { edit }))
  },
}

export const redoCommand: SlashCommand = {
  name: 'redo',
  help: () => t('do again what /undo took back'),
  async run(actions) {
    const { session } = actions
    const plan = await session.redo()
    const undone = takenBack(session, takenBack(session, plan.entry?.id))
    await tell(actions, plan, undone, (edit) => t('Redone: {edit}.', { edit }))
  },
}

/** The edit that another one takes back. */
function takenBack({ tree }: Session, editId: string | undefined): string | undefined {
  return editId === undefined ? undefined : tree.edits.recordById.get(editId)?.undoes
}

async function tell(
  actions: ChatActions,
  plan: EditPlan,
  editId: string | undefined,
  done: (edit: string) => string,
): Promise<void> {
  if (plan.entry === undefined) return actions.show(t('It is so already; nothing was changed.'))
  const edit = editId === undefined ? undefined : await actions.session.readEntry(editId)
  await actions.reload()
  for (const { detail } of plan.warnings) actions.warn(detail)
  actions.show(done(describeEdit(edit)))
}
