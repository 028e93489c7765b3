import type { Session } from '@treeline/store'

/**
 * What tools may do unasked is said at a terminal or in answer to a question, never by a file that somebody sent or a copy
 * that somebody asked for over HTTP. Gives what there is to say about it.
 */
export async function takePermissions(session: Session): Promise<readonly string[]> {
  const { approvalMode, approvalTools } = session.config
  if (approvalMode === 'default' && approvalTools.length === 0) return []
  await session.updateConfig(() => ({ approvalMode: null, approvalTools: null }), { auto: true })
  return ['It allowed tools to run without being asked for. Here they are asked for again.']
}
