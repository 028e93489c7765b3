import type { EditData, EditPlan, Entry } from '@treeline/core'
import type { Session } from '@treeline/store'
import { describeEdit } from '../../editing/describe-edit.ts'
import { t } from '../../output/language.ts'
import type { ChatActions } from '../chat-actions.ts'
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

/** What was added is told by what it is: an id says nothing to anybody. */
async function describeAdded(session: Session, edit: Entry | undefined): Promise<string | undefined> {
  const [first] = (edit?.data as EditData | undefined)?.ops ?? []
  if (first?.op !== 'added') return undefined
  const added = await session.readEntry(first.nodeIds[0]!)
  switch (added?.type) {
    case 'compaction':
      return t('the summary of the beginning')
    case 'branch_summary':
      return t('the summary of a branch')
    case 'custom_message':
      return t('the merge')
    default:
      return undefined
  }
}

async function tell(
  actions: ChatActions,
  plan: EditPlan,
  editId: string | undefined,
  done: (edit: string) => string,
): Promise<void> {
  if (plan.entry === undefined) return actions.show(t('It is so already; nothing was changed.'))
  const edit = editId === undefined ? undefined : await actions.session.readEntry(editId)
  const told = (await describeAdded(actions.session, edit)) ?? describeEdit(edit)
  await actions.reload()
  for (const { detail } of plan.warnings) actions.warn(detail)
  actions.show(done(told))
}
