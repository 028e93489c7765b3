import { type Entry, textOf } from '@treeline/core'
import type { NodeView } from '../transcript/read-nodes.ts'

/**
 * The document that `treeline export --format json` writes:
 *
 * ```
 * {
 *   "format": "treeline-session", "version": 1,
 *   "session": {id, cwd, name, createdAt, parentSession?, redacted?},
 *   "leafId": the node at which the conversation goes on, or null,
 *   "nodes": [JsonNode …]      every node of the tree, parents before children, siblings in order,
 *   "changes": [JsonChange …]  model changes and the like, in the order of the log,
 *   "stash": [{id, title, fromParentId, prunedAt, nodes: [JsonNode …]} …]   what was pruned and can be grafted again
 * }
 * ```
 *
 * It shows the session after all edits: `parentId` is what a node hangs under now, what was deleted is not there. `name`,
 * `title`, `parentId`, `leafId`, `fromParentId` may be `null`; fields with a `?` are left out when there is nothing to say.
 */
export interface JsonNode {
  readonly id: string
  readonly parentId: string | null
  /** `message`, `compaction`, `branch_summary` or `custom_message`; `unreadable` when its bytes are damaged. */
  readonly type: string
  /** Of a message: `user`, `assistant`, `toolResult`, … */
  readonly role?: string
  /** ISO 8601; `null` while it is being generated. */
  readonly timestamp: string | null
  readonly muted?: true
  readonly generating?: true
  readonly label?: string
  /** Rating, pin and the like. */
  readonly meta?: Readonly<Record<string, unknown>>
  /** What it says, as plain words. */
  readonly text: string
  /** Of a message: the message as stored, images as base64. */
  readonly message?: unknown
  /** Of any other type: all its fields but those above. */
  readonly fields?: Readonly<Record<string, unknown>>
}

export interface JsonChange {
  readonly id: string
  /** The node it hangs under; `null` when it comes before the first. */
  readonly nodeId: string | null
  readonly type: string
  readonly timestamp: string
  readonly fields: Readonly<Record<string, unknown>>
}

export function nodeOf({ id, parentId, muted, generating, label, meta, entry }: NodeView): JsonNode {
  const role = roleOf(entry)
  return {
    id,
    parentId,
    type: entry?.type ?? (generating ? 'message' : 'unreadable'),
    ...(role !== undefined && { role }),
    timestamp: entry?.timestamp ?? null,
    ...(muted && { muted }),
    ...(generating && { generating }),
    ...(label !== undefined && { label }),
    ...(meta !== undefined && { meta }),
    text: entry === undefined ? '' : textOf(entry),
    ...(entry !== undefined && (entry.type === 'message' ? { message: entry.message } : { fields: fieldsOf(entry) })),
  }
}

export function changeOf(entry: Entry, nodeId: string | null): JsonChange {
  const { id, type, timestamp } = entry
  return { id, nodeId, type, timestamp, fields: fieldsOf(entry) }
}

function roleOf(entry: Entry | undefined): string | undefined {
  const message =
    entry?.type === 'message' ? (entry.message as { readonly role?: unknown } | null | undefined) : undefined
  return typeof message?.role === 'string' ? message.role : undefined
}

function fieldsOf({ type: _type, id: _id, parentId: _parent, timestamp: _time, crc: _crc, ...fields }: Entry) {
  return fields
}
