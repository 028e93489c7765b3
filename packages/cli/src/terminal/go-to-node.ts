import { selectNode } from '@treeline/agent'
import type { ChatActions } from './chat-actions.ts'
import { t } from './language.ts'

/** M9: a prompt is taken back into the editor, from anything else the conversation goes on. */
export async function goToNode(actions: ChatActions, nodeId: string): Promise<void> {
  const { agent, session } = actions
  const { leafId, editorText } = await selectNode(session, nodeId)
  await agent.leaveBranch(session, { toId: leafId })
  if (editorText !== undefined) actions.setEditor(editorText)
  await actions.reload()
  actions.show(t('Back at an earlier place. What came after it is kept: /tree shows it.'))
}
