import { describeToolCall, type Entry, nodePath, ROOT, type ToolCallBlock, textOf } from '@treeline/core'
import type { Session } from '@treeline/store'

/** One thing that was said or done, as it stands in the scroll of the terminal. */
export interface Said {
  readonly key: string
  readonly kind: 'user' | 'assistant' | 'tool' | 'note' | 'warning'
  /** A tool's call in a line. */
  readonly title?: string
  readonly text: string
}

/** How much of a session that is opened is shown: what came before can be seen with /tree. */
const MAX_SHOWN = 40

/** The end of the trunk, oldest first. */
export async function readTrunk(session: Session): Promise<readonly Said[]> {
  const { tree, leafId } = session
  if (leafId === null) return []
  const refs = nodePath(tree, tree.ids.find(leafId)).filter((ref) => ref > ROOT)
  const ids = refs.slice(-MAX_SHOWN).map((ref) => tree.ids.textOf(ref))
  const entries = await session.readEntries(ids)
  const said = entries.flatMap((entry) => (entry === undefined ? [] : toSaid(entry)))
  const left = refs.length - ids.length
  if (left === 0) return said
  return [{ key: 'earlier', kind: 'note', text: `${left} earlier messages: /tree shows all.` }, ...said]
}

/** What an entry shows; an answer with calls shows its words, the calls come with their results. */
export function toSaid(entry: Entry): readonly Said[] {
  const { id: key } = entry
  const message = (entry.message ?? {}) as Readonly<Record<string, unknown>>
  const text = textOf(entry)
  if (entry.type !== 'message') return text === '' ? [] : [{ key, kind: 'note', text }]
  switch (message.role) {
    case 'user':
      return [{ key, kind: 'user', text }]
    case 'assistant':
      return toAnswer(key, message)
    case 'toolResult':
      return [{ key, kind: 'tool', title: String(message.toolName ?? 'tool'), text }]
    case 'bashExecution':
      return [{ key, kind: 'tool', title: `! ${String(message.command ?? '')}`, text: String(message.output ?? '') }]
    default:
      return text === '' ? [] : [{ key, kind: 'note', text }]
  }
}

function toAnswer(key: string, message: Readonly<Record<string, unknown>>): readonly Said[] {
  const text = wordsOf(message.content)
  const said: Said[] = text === '' ? [] : [{ key, kind: 'assistant', text }]
  const { stopReason, errorMessage } = message
  if (stopReason === 'aborted') said.push({ key: `${key}!`, kind: 'warning', text: 'Cancelled.' })
  if (stopReason === 'error') said.push({ key: `${key}!`, kind: 'warning', text: String(errorMessage ?? 'It failed.') })
  return said
}

/** Without its thoughts and calls. */
function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content
  const blocks: readonly unknown[] = Array.isArray(content) ? content : []
  const texts = blocks.map((block) => (block as { readonly text?: unknown } | null)?.text)
  return texts.filter((text) => typeof text === 'string').join('\n\n')
}

/** A call in one line: its name and what it is called with. */
export function callTitle(name: string, input: unknown): string {
  const args = (typeof input === 'object' && input !== null ? input : {}) as ToolCallBlock['arguments']
  return describeToolCall(name, args)
}
