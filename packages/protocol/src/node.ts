import { z } from 'zod'
import { idSchema, timeSchema, versionSchema } from './id.ts'

export const roleSchema = z.enum(['system', 'user', 'assistant', 'tool'])
export const statusSchema = z.enum(['generating', 'complete', 'error'])
export const finishReasonSchema = z.enum(['stop', 'length', 'tool_calls', 'cancelled', 'error', 'interrupted'])

const simpleParts = [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('reasoning'), text: z.string() }),
  z.object({
    type: z.literal('image'),
    blob: z.string().meta({ description: '`blob:sha256:<hex>` or a `data:` URI.' }),
    mimeType: z.string(),
  }),
  z.object({
    type: z.literal('tool_call'),
    toolCallId: z.string(),
    name: z.string(),
    input: z.unknown(),
    displayName: z.string().optional(),
    description: z.string().optional(),
  }),
] as const

/** One level of nesting is all there is: a tool's result holds texts and images. */
export const partSchema = z
  .discriminatedUnion('type', [
    ...simpleParts,
    z.object({
      type: z.literal('tool_result'),
      toolCallId: z.string(),
      name: z.string(),
      output: z.union([z.string(), z.array(z.discriminatedUnion('type', simpleParts))]),
      isError: z.boolean().optional(),
    }),
  ])
  .meta({ id: 'Part' })

export const metadataSchema = z
  .object({
    model: z.string(),
    isTruncated: z.boolean(),
    error: z.string(),
    summarizedFrom: z.array(idSchema),
    cost: z.object({ amount: z.number(), currency: z.string(), estimated: z.boolean().optional() }),
    latency: z.object({ totalMs: z.number(), firstTokenMs: z.number().optional() }),
    tokenCount: z.object({
      context: z.number(),
      output: z.number(),
      cacheRead: z.number().optional(),
      cacheWrite: z.number().optional(),
    }),
    rating: z.int().min(1).max(5),
    finishReason: finishReasonSchema,
    labels: z.array(z.string()),
    copiedFrom: idSchema,
    editedFrom: idSchema,
    mergedFrom: z.array(idSchema),
    generationId: idSchema,
    kind: z.enum(['compaction', 'branch_summary', 'custom_message', 'merge', 'bash']),
    ext: z.record(z.string(), z.unknown()),
  })
  .partial()
  .meta({ id: 'NodeMetadata' })

const detachedSchema = z.object({
  fragmentId: idSchema,
  fromParentId: idSchema.nullable(),
  fromIndex: z.int(),
  at: timeSchema,
  opId: idSchema,
})

export const nodeSchema = z
  .object({
    id: idSchema,
    parentId: idSchema.nullable(),
    childrenIds: z.array(idSchema),
    content: z.string(),
    parts: z.array(partSchema).optional(),
    role: roleSchema,
    status: statusSchema,
    isEnabled: z.boolean(),
    timestamp: timeSchema,
    updatedAt: timeSchema,
    version: versionSchema,
    contentLength: z.int(),
    contentTruncated: z.literal(true).optional(),
    detached: detachedSchema.optional(),
    deleted: z.literal(true).optional(),
    metadata: metadataSchema.optional(),
  })
  .meta({ id: 'ChatMessageNode' })

/** A node without what it says. */
export const skeletonNodeSchema = z
  .object({
    id: idSchema,
    parentId: idSchema.nullable(),
    role: roleSchema,
    status: statusSchema,
    isEnabled: z.boolean(),
    childCount: z.int(),
    preview: z.string(),
    timestamp: timeSchema,
    version: versionSchema,
    deleted: z.literal(true).optional(),
  })
  .meta({ id: 'SkeletonNode' })

export const fragmentSchema = z
  .object({
    fragmentId: idSchema,
    rootId: idSchema,
    nodeCount: z.int(),
    leafCount: z.int(),
    fromParentId: idSchema.nullable(),
    fromIndex: z.int(),
    title: z.string().optional(),
    preview: z.string(),
    createdAt: timeSchema,
    opId: idSchema,
  })
  .meta({ id: 'Fragment' })

export type Role = z.infer<typeof roleSchema>
export type NodeStatus = z.infer<typeof statusSchema>
export type Part = z.infer<typeof partSchema>
export type NodeMetadata = z.infer<typeof metadataSchema>
export type ChatMessageNode = z.infer<typeof nodeSchema>
export type SkeletonNode = z.infer<typeof skeletonNodeSchema>
export type Fragment = z.infer<typeof fragmentSchema>
