import {
  describeToolCall,
  type Entry,
  Flag,
  type ImageBlock,
  nodePath,
  ROOT,
  splitAttached,
  type TextBlock,
  type ToolCallBlock,
  textOf,
} from '@treeline/core'
import type { Session } from '@treeline/store'
import { t } from '../../output/language.ts'
import { attachedText } from '../mentions/attached-text.ts'

/** One thing that was said or done, as it stands in the scroll of the terminal. */
export interface Said {
  readonly key: string
  readonly kind: 'user' | 'assistant' | 'thinking' | 'tool' | 'summary' | 'muted' | 'command' | 'note' | 'warning'
  /** A tool's call in a line. */
  readonly title?: string
  readonly text: string
  /** The files that go with a prompt, a line for each. */
  readonly attached?: readonly string[]
  /** A tool that failed. */
  readonly isError?: boolean
}

/** The key of the note that there is more. */
export const EARLIER = 'earlier'
/** How much of a session that is opened is shown: what came before can be seen with /tree. */
const MAX_SHOWN = 40

type Fields = Readonly<Record<string, unknown>>

/** The end of the trunk, oldest first. */
export async function readTrunk(session: Session): Promise<readonly Said[]> {
  const { tree, leafId } = session
  if (leafId === null) return []
  const refs = nodePath(tree, tree.ids.find(leafId)).filter((ref) => ref > ROOT)
  const ids = refs.slice(-MAX_SHOWN).map((ref) => tree.ids.textOf(ref))
  const entries = (await session.readEntries(ids)).filter((entry) => entry !== undefined)
  const titles = new Map(entries.flatMap(titlesOf))
  const isMuted = ({ id }: Entry) => tree.columns.has(tree.ids.find(id), Flag.muted)
  const said = entries.flatMap((entry) => (isMuted(entry) ? toMuted(entry, titles) : toSaid(entry, titles)))
  const left = refs.length - ids.length
  if (left === 0) return said
  return [
    { key: EARLIER, kind: 'note', text: t('{count} earlier messages: /tree shows all.', { count: left }) },
    ...said,
  ]
}

/** What an entry shows; an answer with calls shows its words, the calls come with their results. */
export function toSaid(entry: Entry, titles: ReadonlyMap<string, string> = new Map()): readonly Said[] {
  const { id: key } = entry
  const message = (entry.message ?? {}) as Fields
  const text = textOf(entry)
  if (entry.type !== 'message') return text === '' ? [] : [{ key, kind: isSummary(entry) ? 'summary' : 'note', text }]
  switch (message.role) {
    case 'user':
      return [{ key, kind: 'user', ...readPrompt(message.content) }]
    case 'assistant':
      return toAnswer(key, message)
    case 'toolResult':
      return [toResult(key, message, text, titles)]
    case 'bashExecution':
      return [{ key, kind: 'tool', title: `! ${String(message.command ?? '')}`, text: String(message.output ?? '') }]
    default:
      return text === '' ? [] : [{ key, kind: 'note', text }]
  }
}

/** What the model does not get stands as a line of its own, whatever it is. */
function toMuted(entry: Entry, titles: ReadonlyMap<string, string>): readonly Said[] {
  const text = toSaid(entry, titles)
    .map((said) => [said.title, said.text].filter(Boolean).join(' '))
    .join('\n')
  return [{ key: `${entry.id}-muted`, kind: 'muted', text }]
}

function isSummary({ type }: Entry): boolean {
  return type === 'compaction' || type === 'branch_summary'
}

function toAnswer(key: string, message: Fields): readonly Said[] {
  const said: Said[] = []
  const thoughts = joined(message.content, 'thinking')
  const text = joined(message.content, 'text')
  if (thoughts.trim() !== '') said.push({ key: `${key}?`, kind: 'thinking', text: thoughts })
  if (text !== '') said.push({ key, kind: 'assistant', text })
  const { stopReason, errorMessage } = message
  if (stopReason === 'aborted') said.push({ key: `${key}!`, kind: 'warning', text: t('Cancelled.') })
  if (stopReason === 'error') {
    said.push({ key: `${key}!`, kind: 'warning', text: String(errorMessage ?? t('It failed.')) })
  }
  return said
}

/** Of an edit its difference is shown: that says more than that it was made. */
function toResult(key: string, message: Fields, text: string, titles: ReadonlyMap<string, string>): Said {
  const { toolCallId, toolName, isError, details } = message
  const title = titles.get(String(toolCallId)) ?? String(toolName ?? 'tool')
  const diff = (details as Fields | null | undefined)?.diff
  const shown = typeof diff === 'string' && diff !== '' && isError !== true ? diff : text
  return { key, kind: 'tool', title, text: shown, ...(isError === true && { isError }) }
}

/** Files that go with it are named, not shown; images stand as placeholders. */
function readPrompt(content: unknown): Pick<Said, 'text' | 'attached'> {
  if (!Array.isArray(content)) return { text: typeof content === 'string' ? content : '' }
  const { said, attached } = splitAttached(content as readonly (TextBlock | ImageBlock)[])
  const texts = said.map((block) => (block?.type === 'image' ? t('[Image]') : (block?.text ?? '')))
  return { text: texts.filter((text) => text !== '').join('\n'), attached: attached.map(attachedText) }
}

/** What an answer says, as the model wrote it: without its thoughts and calls. */
export function wordsOf({ message }: Entry): string {
  return joined((message as Fields | undefined)?.content, 'text')
}

/** Texts of one kind, apart from one another. */
function joined(content: unknown, kind: 'text' | 'thinking'): string {
  if (typeof content === 'string') return kind === 'text' ? content : ''
  const blocks: readonly unknown[] = Array.isArray(content) ? content : []
  const texts = blocks.map((block) => (block as Fields | null)?.[kind])
  return texts.filter((text) => typeof text === 'string').join('\n\n')
}

/** What an answer calls, by the ids of the calls. */
function titlesOf({ message }: Entry): readonly (readonly [string, string])[] {
  const { role, content } = (message ?? {}) as Fields
  if (role !== 'assistant' || !Array.isArray(content)) return []
  return content
    .filter((block: Fields | null) => block?.type === 'toolCall')
    .map((block: Fields) => [String(block.id), callTitle(String(block.name), block.arguments)] as const)
}

/** A call in one line: its name and what it is called with. */
export function callTitle(name: string, input: unknown): string {
  const args = (typeof input === 'object' && input !== null ? input : {}) as ToolCallBlock['arguments']
  return describeToolCall(name, args)
}
