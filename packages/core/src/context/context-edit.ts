import type { Entry, EntryId } from '../entry/entry.ts'
import { Kind } from '../entry/kind.ts'
import type { AgentMessage } from '../entry/message.ts'
import type { Steps } from '../steps.ts'
import { isObject, isText } from './json.ts'
import { besideMessages, type PathView } from './path-view.ts'

/** What the last `context_edit` says about a message: leave it out, or give it other content. */
export type MessageEdit =
  | { readonly targetId: EntryId; readonly type: 'omit' }
  | { readonly targetId: EntryId; readonly type: 'replace'; readonly content: string | readonly unknown[] }

/** Nothing when the entry says nothing we can apply. */
export function readContextEdit(entry: Entry): MessageEdit | undefined {
  const { targetId, replacement } = entry
  if (!isText(targetId)) return undefined
  if (replacement === null) return { targetId, type: 'omit' }
  if (!isObject(replacement)) return undefined
  const { content } = replacement
  if (typeof content !== 'string' && !Array.isArray(content)) return undefined
  return { targetId, type: 'replace', content }
}

/** What the edits from a position on say, by the entry they are about; the last one wins. */
export function* readEdits(path: PathView, from: number): Steps<ReadonlyMap<EntryId, MessageEdit>> {
  const isEdit = (position: number) => position >= from && path.kindAt(position) === Kind.context_edit
  const positions = besideMessages(path).filter(isEdit)
  const edits = new Map<EntryId, MessageEdit>()
  for (const entry of positions.length === 0 ? [] : yield positions) {
    const edit = entry === undefined ? undefined : readContextEdit(entry)
    if (edit !== undefined) edits.set(edit.targetId, edit)
  }
  return edits
}

/** The message as edited; nothing when it is omitted. Summaries have no content, so only an omission touches them. */
export function applyEdit(message: AgentMessage, edit: MessageEdit | undefined): AgentMessage | undefined {
  if (edit === undefined) return message
  if (edit.type === 'omit') return undefined
  if (!('content' in message)) return message
  const blocksOnly = message.role === 'assistant' || message.role === 'toolResult'
  const content = blocksOnly && typeof edit.content === 'string' ? [{ type: 'text', text: edit.content }] : edit.content
  return { ...message, content } as AgentMessage
}
