import { z } from 'zod'
import { baseVersionSchema, idSchema, versionSchema } from './id.ts'
import { fragmentSchema, metadataSchema, nodeSchema } from './node.ts'
import { warningSchema } from './problem.ts'

const MAX_OPERATIONS = 1_000
const MAX_NODES = 10_000
const MAX_LABELS = 20
const ids = z.array(idSchema).min(1).max(MAX_NODES)
const resolveSchema = z.enum(['exact', 'descend'])

/** What of a node's metadata a client may set; the rest is what happened. */
export const metadataPatchSchema = z.strictObject({
  rating: metadataSchema.shape.rating.unwrap().nullable().optional(),
  labels: z.array(z.string().max(200)).max(MAX_LABELS).nullable().optional(),
  ext: z.record(z.string(), z.unknown()).nullable().optional(),
})

export const editOpSchema = z
  .discriminatedUnion('op', [
    z.strictObject({
      op: z.literal('prune'),
      nodeId: idSchema,
      include: z.enum(['descendants', 'self']).optional(),
      onGenerating: z.enum(['continue', 'cancel', 'reject']).optional(),
    }),
    z.strictObject({
      op: z.literal('graft'),
      sourceId: idSchema,
      targetId: idSchema.nullable(),
      mode: z.enum(['move', 'copy']).optional(),
      index: z.int().nonnegative().optional(),
      insertBetween: z.boolean().optional(),
      idMap: z.record(idSchema, idSchema).optional(),
    }),
    z.strictObject({
      op: z.literal('setEnabled'),
      nodeIds: ids,
      isEnabled: z.boolean(),
      scope: z.enum(['nodes', 'subtree', 'ancestors']).optional(),
    }),
    z.strictObject({
      op: z.literal('delete'),
      nodeIds: ids,
      how: z.enum(['subtree', 'splice']).optional(),
      onGenerating: z.enum(['cancel', 'reject']).optional(),
    }),
    z.strictObject({ op: z.literal('restore'), nodeIds: ids }),
    z.strictObject({ op: z.literal('reorder'), parentId: idSchema.nullable(), childrenIds: ids }),
    z.strictObject({
      op: z.literal('setActiveLeaf'),
      leafId: idSchema.nullable(),
      resolve: resolveSchema.optional(),
    }),
    z.strictObject({ op: z.literal('setMetadata'), nodeId: idSchema, patch: metadataPatchSchema }),
  ])
  .meta({ id: 'EditOp' })

export const editRequestSchema = z
  .strictObject({
    opId: idSchema.optional(),
    baseVersion: baseVersionSchema,
    operations: z.array(editOpSchema).min(1).max(MAX_OPERATIONS),
    dryRun: z.boolean().optional(),
  })
  .meta({ id: 'EditRequest' })

export const editResultSchema = z
  .object({
    version: versionSchema,
    opId: idSchema.nullable(),
    activeLeafId: idSchema.nullable(),
    changed: z.array(nodeSchema),
    deletedIds: z.array(idSchema),
    fragments: z.array(fragmentSchema),
    inverse: z.array(z.looseObject({ op: z.string() })),
    idMap: z.record(idSchema, idSchema).optional(),
    warnings: z.array(warningSchema),
  })
  .meta({ id: 'EditResult' })

export const nodeStateRequestSchema = z.strictObject({ isEnabled: z.boolean(), baseVersion: baseVersionSchema })
export const nodeStateSchema = z.object({ id: idSchema, isEnabled: z.boolean(), version: versionSchema })

export const batchStateRequestSchema = z.strictObject({
  baseVersion: baseVersionSchema,
  atomic: z.boolean().optional(),
  nodes: z
    .array(z.strictObject({ id: idSchema, isEnabled: z.boolean() }))
    .min(1)
    .max(MAX_NODES),
})
export const batchStateSchema = z.object({
  version: versionSchema,
  updated: z.array(nodeStateSchema),
  unchanged: z.array(idSchema),
  failed: z.array(z.object({ id: idSchema, code: z.string() })),
})

export const activeLeafRequestSchema = z.strictObject({
  leafId: idSchema.nullable(),
  resolve: resolveSchema.optional(),
  baseVersion: baseVersionSchema,
  summarize: z.strictObject({ instructions: z.string().max(10_000).optional() }).optional(),
})
export const activeLeafSchema = z.object({
  activeLeafId: idSchema.nullable(),
  previous: idSchema.nullable(),
  version: versionSchema,
})

export const undoRequestSchema = z.strictObject({ opId: idSchema.optional(), baseVersion: baseVersionSchema })

export type EditOp = z.infer<typeof editOpSchema>
export type EditRequest = z.infer<typeof editRequestSchema>
export type EditResult = z.infer<typeof editResultSchema>
export type BatchStateRequest = z.infer<typeof batchStateRequestSchema>
export type BatchState = z.infer<typeof batchStateSchema>
export type ActiveLeafRequest = z.infer<typeof activeLeafRequestSchema>
export type ActiveLeaf = z.infer<typeof activeLeafSchema>
