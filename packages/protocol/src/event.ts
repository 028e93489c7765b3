import { z } from 'zod'
import { idSchema, timeSchema, versionSchema } from './id.ts'
import { fragmentSchema, metadataSchema, nodeSchema } from './node.ts'

/**
 * Who and what a durable event goes back to: the originator drops its own echo by it. The log knows which edit it was, by
 * whom, and what it took back; the request is known only while the server that took it runs.
 */
const causeSchema = z.object({
  requestId: z.string().optional(),
  opId: idSchema.optional(),
  actor: z.string().optional(),
  undoes: idSchema.optional(),
})

const durable = {
  seq: z.int(),
  version: versionSchema,
  ts: timeSchema,
  sessionId: idSchema,
  cause: causeSchema.optional(),
}
const ephemeral = { seq: z.null(), ts: timeSchema, sessionId: idSchema }

const statePatch = z.object({ id: idSchema, isEnabled: z.boolean() })
const partOf = z.object({ i: z.int(), n: z.int() })
const problem = z.object({ code: z.string(), detail: z.string(), retryable: z.boolean() })
const decision = z.enum(['once', 'tool', 'edits', 'deny'])

function event<T extends string, S extends z.ZodRawShape>(type: T, shape: S) {
  return z.object({ ...durable, type: z.literal(type), ...shape })
}

const durableEvents = [
  event('node.created', { node: nodeSchema }),
  event('node.completed', { node: nodeSchema, alias: z.literal('message.complete').optional() }),
  event('node.failed', { node: nodeSchema, problem }),
  event('node.state.updated', { patch: statePatch, part: partOf.optional() }),
  event('nodes.state.updated', { patches: z.array(statePatch) }),
  event('node.metadata.updated', { id: idSchema, metadata: metadataSchema }),
  event('tree.pruned', { nodeId: idSchema, fragments: z.array(fragmentSchema) }),
  event('tree.grafted', {
    sourceId: idSchema,
    targetId: idSchema.nullable(),
    mode: z.enum(['move', 'copy']),
    nodes: z.array(nodeSchema),
    idMap: z.record(idSchema, idSchema).optional(),
  }),
  event('tree.reordered', { parentId: idSchema.nullable(), childrenIds: z.array(idSchema) }),
  event('nodes.deleted', { ids: z.array(idSchema), how: z.enum(['subtree', 'splice']) }),
  event('nodes.restored', { nodes: z.array(nodeSchema) }),
  event('active_leaf.updated', {
    activeLeafId: idSchema.nullable(),
    previous: idSchema.nullable(),
    reason: z.enum(['user', 'send', 'prune', 'delete', 'compaction']),
  }),
  event('session.updated', { patch: z.record(z.string(), z.unknown()) }),
  event('session.deleted', {}),
  event('approval.requested', {
    approvalId: idSchema,
    nodeId: idSchema,
    tool: z.string(),
    input: z.unknown(),
    shown: z.string(),
  }),
  event('approval.resolved', { approvalId: idSchema, decision, reason: z.string().optional() }),
  /** What was begun by a summarize, a merge or a compact came to nothing: there is no node to tell of it. */
  event('job.failed', { job: z.enum(['summarize', 'merge', 'compact']), problem }),
  /** Any line without an event of its own: the sequence stays contiguous. */
  event('entry.appended', { entryId: idSchema, entryType: z.string() }),
] as const

const contentPatch = z.object({
  id: idSchema,
  contentChunk: z.string(),
  offset: z.int(),
  partIndex: z.int().optional(),
  partType: z.string().optional(),
})

export const durableEventSchema = z.discriminatedUnion('type', durableEvents).meta({ id: 'DurableEvent' })

export const ephemeralEventSchema = z
  .discriminatedUnion('type', [
    z.object({
      ...ephemeral,
      type: z.literal('node.content.updated'),
      patch: contentPatch,
      alias: z.literal('message.update').optional(),
    }),
    z.object({
      ...ephemeral,
      type: z.literal('node.content.snapshot'),
      id: idSchema,
      content: z.string(),
      contentLength: z.int(),
    }),
  ])
  .meta({ id: 'EphemeralEvent' })

export const chatEventSchema = z.union([durableEventSchema, ephemeralEventSchema]).meta({ id: 'ChatEvent' })

export const eventPageSchema = z
  .object({ events: z.array(durableEventSchema), headSeq: z.int(), oldestSeq: z.int(), epoch: z.string() })
  .meta({ id: 'EventPage' })

export type DurableEvent = z.infer<typeof durableEventSchema>
export type EphemeralEvent = z.infer<typeof ephemeralEventSchema>
export type ChatEvent = DurableEvent | EphemeralEvent
