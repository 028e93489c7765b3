import type { Entry } from '@treeline/core'
import { isRecord, type JsonRecord, keepRecord, restoreRecord } from '../kept-record.ts'
import { type OnLost, present, textWithoutImages } from '../plain-content.ts'
import type { Shape } from './shape.ts'

/** What the session knows about a node beside its entry. Keys are those of the document. */
export interface NodeState {
  readonly key: string
  readonly parentKey: string | null
  readonly childKeys: readonly string[]
  readonly isEnabled: boolean
  /** Said in the metadata: rating, label, pin, note, place in the stash. */
  readonly marks: JsonRecord
}

export const MARKS: readonly string[] = ['rating', 'label', 'pinned', 'note', 'stash']

/** Stands for the metadata, which are kept apart, so that a new rating does not void the rest. */
const METADATA = '\u0000metadata'

function changeable({ children }: Shape): readonly string[] {
  return ['parentId', children, 'isEnabled']
}

/** What has to be kept of a node so that `toNode` gives it back. */
export function keepNode(original: JsonRecord, entry: Entry, shape: Shape, state: NodeState): JsonRecord {
  const { fields, metadata } = describe(entry, shape, state, () => {})
  const own = isRecord(original.metadata) ? original.metadata : undefined
  const node = keepRecord(own ? { ...original, metadata: METADATA } : original, fields, changeable(shape))
  const isSeed = shape.name === 'seed' ? true : undefined
  return present({ isSeed, node, metadata: keepRecord(own ?? {}, metadata, MARKS) })
}

/** An entry as a node of the document: as it was there, or as well as it can be said. */
export function toNode(entry: Entry, shape: Shape, state: NodeState, onLost: OnLost): JsonRecord {
  const described = describe(entry, shape, state, onLost)
  const kept = isRecord(entry.comfytavern) ? entry.comfytavern : undefined
  const isSameShape = (kept?.isSeed === true) === (shape.name === 'seed')
  const fields = isSameShape
    ? restoreRecord(kept?.node, described.fields, changeable(shape))
    : addValues(described.fields, kept?.node)
  const metadata = restoreRecord(kept?.metadata, described.metadata, MARKS)
  const isEmpty = Object.keys(metadata).length === 0
  if (fields.metadata === METADATA) {
    if (!isEmpty || kept !== undefined) return { ...fields, metadata }
    const { metadata: _, ...rest } = fields
    return rest
  }
  return isEmpty ? fields : { ...fields, metadata }
}

/** The names by which the two shapes are told apart. */
const SHAPE_FIELDS: ReadonlySet<string> = new Set(['childrenIds', 'children', 'timestamp', 'createdAt', 'updatedAt'])

/** A fork does not know which shape its nodes came from: then all that only they knew is put behind what we know. */
function addValues(fields: JsonRecord, kept: unknown): JsonRecord {
  const values = isRecord(kept) && isRecord(kept.values) ? kept.values : {}
  const more = Object.entries(values).filter(([key]) => !SHAPE_FIELDS.has(key) && !Object.hasOwn(fields, key))
  return { ...fields, ...Object.fromEntries(more) }
}

function describe(
  entry: Entry,
  shape: Shape,
  state: NodeState,
  onLost: OnLost,
): { readonly fields: JsonRecord; readonly metadata: JsonRecord } {
  const message: JsonRecord = isRecord(entry.message) ? entry.message : {}
  const isFailed = message.role === 'assistant' && message.stopReason === 'error'
  const error = isFailed && typeof message.errorMessage === 'string' ? message.errorMessage : undefined
  const isBuilt = shape.name === 'built'
  const fields = present({
    id: state.key,
    parentId: state.parentKey,
    [shape.children]: state.childKeys,
    role: roleOf(entry, message, onLost),
    content: contentOf(entry, message, onLost),
    status: isFailed ? 'error' : 'complete',
    isEnabled: state.isEnabled,
    [shape.time]: entry.timestamp,
    updatedAt: isBuilt ? entry.timestamp : undefined,
    error: isBuilt ? error : undefined,
    metadata: METADATA,
  })
  const about = message.role === 'assistant' ? aboutAnswer(message) : aboutOther(entry, message)
  return { fields, metadata: present({ ...about, error: isBuilt ? undefined : error, ...state.marks }) }
}

function aboutAnswer({ model, stopReason, latency, usage }: JsonRecord): JsonRecord {
  const { input, output, cacheRead, cacheWrite, cost } = isRecord(usage) ? usage : {}
  const context = [input, cacheRead, cacheWrite].reduce<number>((sum, n) => sum + (typeof n === 'number' ? n : 0), 0)
  return {
    model,
    isTruncated: stopReason === 'length' || stopReason === 'aborted' ? true : undefined,
    cost: isRecord(cost) ? cost.total : undefined,
    latency: isRecord(latency) ? latency.totalMs : undefined,
    tokenCount: isRecord(usage) ? { context, output } : undefined,
  }
}

function aboutOther(entry: Entry, { role, toolName, toolCallId }: JsonRecord): JsonRecord {
  if (role === 'toolResult') return { tool: toolName, toolCallId }
  return entry.type === 'message' || entry.type === 'custom_message' ? {} : { kind: entry.type }
}

function roleOf(entry: Entry, { role }: JsonRecord, onLost: OnLost): string {
  if (role === 'user' || role === 'assistant' || role === 'system') return role
  if (role === 'developer') return 'system'
  const kind = entry.type === 'message' ? role : entry.type
  const isSummary = kind === 'compaction' || kind === 'branch_summary'
  const as = isSummary ? 'system' : 'user'
  if (entry.type !== 'custom_message') onLost('changed', `ComfyTavern has no ${String(kind)}: one is written as ${as}`)
  return as
}

function contentOf(entry: Entry, message: JsonRecord, onLost: OnLost): string {
  if (message.role !== 'assistant' || !Array.isArray(message.content)) return textWithoutImages(entry, onLost)
  const texts: string[] = []
  for (const block of message.content as readonly unknown[]) {
    if (!isRecord(block)) continue
    if (typeof block.text === 'string') texts.push(block.text)
    else if (block.type === 'toolCall') {
      onLost('changed', 'A tool call is written as text')
      texts.push(`${String(block.name)}(${JSON.stringify(block.arguments) ?? ''})`)
    } else onLost('left_out', block.type === 'image' ? 'An image is left out' : 'What the model thought is left out')
  }
  return texts.join('\n')
}
