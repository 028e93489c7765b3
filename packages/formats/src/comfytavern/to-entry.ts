import type { Entry } from '@treeline/core'
import { isRecord, type JsonRecord, valueAt } from '../kept-record.ts'
import { present } from '../plain-content.ts'
import type { LinkedNode } from './link-nodes.ts'
import type { Shape } from './shape.ts'
import { keepNode, type NodeState } from './to-node.ts'

const CUT_OFF = 'The answer was still being written when this session was saved.'

/** A node as an entry; what an entry has no field for is kept in `comfytavern`. `timeMs` stands in for a missing time. */
export function toEntry(linked: LinkedNode, shape: Shape, state: NodeState, timeMs: number): Entry {
  const { id, parentId, node, value } = linked
  const head = { id, parentId, timestamp: new Date(timeMs).toISOString() }
  if (node === undefined) {
    return { type: 'custom', ...head, customType: 'comfytavern', comfytavern: { value: JSON.stringify(value) } }
  }
  const entry = { ...withBody(node, timeMs), ...head }
  return { ...entry, comfytavern: keepNode(node, entry, shape, state) }
}

/** Epoch milliseconds, of either shape's field. */
export function timeOf(node: JsonRecord | undefined, shape: Shape): number | undefined {
  const other = shape.time === 'timestamp' ? 'createdAt' : 'timestamp'
  return node && [node[shape.time], node[other]].map(parseTime).find((time) => time !== undefined)
}

const MAX_TIME_MS = 253_402_300_799_999

export function parseTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value : Number.NaN
  return time >= 0 && time <= MAX_TIME_MS ? Math.trunc(time) : undefined
}

export function isMuted(node: JsonRecord): boolean {
  return valueAt(node, 'isEnabled') === false
}

/** The stars our own ratings can say (T18). */
export function ratingOf(node: JsonRecord): number | undefined {
  const rating = isRecord(node.metadata) ? valueAt(node.metadata, 'rating') : undefined
  return Number.isInteger(rating) && (rating as number) >= 1 && (rating as number) <= 5 ? (rating as number) : undefined
}

function withBody(node: JsonRecord, timestamp: number): Pick<Entry, 'type'> & JsonRecord {
  const content = textOf(node)
  switch (valueAt(node, 'role')) {
    case 'user':
    case 'system':
      return { type: 'message', message: { role: node.role, content, timestamp } }
    case 'assistant':
      return { type: 'message', message: { ...toAnswer(node, content), timestamp } }
    default:
      return { type: 'custom_message', customType: 'comfytavern', content, display: true }
  }
}

function textOf(node: JsonRecord): string {
  const content = valueAt(node, 'content')
  return typeof content === 'string' ? content : content === undefined ? '' : JSON.stringify(content)
}

/** Only what is complete is part of the context (X47): an answer that failed or is not finished is a failed one here. */
function toAnswer(node: JsonRecord, text: string): JsonRecord {
  const metadata: JsonRecord = isRecord(node.metadata) ? node.metadata : {}
  const { model, latency, isTruncated } = metadata
  const status = valueAt(node, 'status')
  const isFailed = status === 'error' || status === 'generating'
  const said = [valueAt(node, 'error'), valueAt(metadata, 'error')].find((error) => typeof error === 'string')
  return present({
    role: 'assistant',
    content: [{ type: 'text', text }],
    model: typeof model === 'string' ? model : undefined,
    usage: readUsage(metadata),
    stopReason: isFailed ? 'error' : isTruncated === true ? 'length' : 'stop',
    errorMessage: isFailed ? (said ?? (status === 'generating' ? CUT_OFF : undefined)) : undefined,
    latency: isCount(latency) ? { totalMs: latency } : undefined,
  })
}

/** `tokenCount` as one number does not say of what (X53); it is kept and not counted. */
function readUsage({ tokenCount, cost }: JsonRecord): JsonRecord | undefined {
  const { context, output } = isRecord(tokenCount) ? tokenCount : {}
  const hasTokens = isCount(context) || isCount(output)
  if (!hasTokens && !isCount(cost)) return undefined
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  return {
    ...none,
    ...(isCount(context) && { input: context }),
    ...(isCount(output) && { output }),
    ...(isCount(cost) && { cost: { ...none, total: cost } }),
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0
}
