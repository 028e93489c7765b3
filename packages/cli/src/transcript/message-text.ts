import { type AgentMessage, type Entry, textOf } from '@treeline/core'

/** The words of a message of a context, also of one that was made from a summary. */
export function messageText(message: AgentMessage): string {
  if ('summary' in message) return message.summary
  return textOf({ type: 'message', id: '', parentId: null, timestamp: '', message } as Entry)
}
