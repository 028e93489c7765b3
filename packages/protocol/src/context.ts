import { z } from 'zod'
import { idSchema, timeSchema, versionSchema } from './id.ts'
import { nodeSchema, partSchema, roleSchema } from './node.ts'
import { warningSchema } from './problem.ts'

/** What the model would receive. */
export const contextPreviewSchema = z
  .object({
    leafId: idSchema.nullable(),
    version: versionSchema,
    strategy: z.string(),
    model: z.string(),
    messages: z.array(
      z.object({
        nodeId: idSchema.nullable(),
        nodeIds: z.array(idSchema).optional().meta({ description: 'Where several nodes became one message.' }),
        role: roleSchema,
        content: z.string(),
        parts: z.array(partSchema).optional(),
        injectedBy: z.string().optional(),
        tokens: z.int().optional(),
      }),
    ),
    excluded: z.array(
      z.object({
        nodeId: idSchema,
        reason: z
          .enum(['disabled', 'generating', 'error', 'budget', 'summarized', 'reset', 'withdrawn', 'private', 'empty'])
          .meta({ description: '`withdrawn`: by an edit of its text; `private`: kept from the model on purpose.' }),
      }),
    ),
    warnings: z.array(warningSchema),
    tokens: z.object({ context: z.int(), reservedOutput: z.int(), limit: z.int() }),
    cost: z.object({ amount: z.number(), currency: z.string(), estimated: z.literal(true) }).nullable(),
  })
  .meta({ id: 'ContextPreview' })

const metricsSchema = z.object({ tokens: z.int(), cost: z.number(), latencyMs: z.number() })

export const compareSchema = z
  .object({
    version: versionSchema,
    commonAncestorId: idSchema.nullable(),
    left: z.array(nodeSchema),
    right: z.array(nodeSchema),
    metrics: z.object({ left: metricsSchema, right: metricsSchema }),
  })
  .meta({ id: 'Compare' })

export const searchHitSchema = z
  .object({
    sessionId: idSchema,
    nodeId: idSchema,
    role: roleSchema,
    snippet: z.string(),
    matches: z.array(z.tuple([z.int(), z.int()])).meta({ description: 'From and to in `snippet`, in UTF-16 units.' }),
    timestamp: timeSchema,
    title: z.string(),
  })
  .meta({ id: 'SearchHit' })

export const searchSchema = z.object({ hits: z.array(searchHitSchema), nextCursor: z.string().nullable() })

export type ContextPreview = z.infer<typeof contextPreviewSchema>
export type Compare = z.infer<typeof compareSchema>
export type SearchHit = z.infer<typeof searchHitSchema>
