import { z } from 'zod'
import { baseVersionSchema, idSchema, versionSchema } from './id.ts'
import { nodeSchema, partSchema } from './node.ts'
import { warningSchema } from './problem.ts'

const MAX_CONTENT_CHARS = 1_048_576
const MAX_SPECS = 8

const contentSchema = z.union([z.string().max(MAX_CONTENT_CHARS), z.array(partSchema).min(1).max(1_000)])
const activateSchema = z.enum(['auto', 'always', 'never'])

export const generateSpecSchema = z
  .strictObject({
    nodeId: idSchema.optional(),
    model: z.string().max(200).optional(),
    params: z.record(z.string(), z.unknown()).optional(),
    strategy: z.string().max(50).optional(),
    maxOutputTokens: z.int().positive().optional(),
    label: z.string().max(200).optional(),
  })
  .meta({ id: 'GenerateSpec' })

const specsSchema = z.array(generateSpecSchema).min(1).max(MAX_SPECS)
const generateSchema = z.union([z.literal(false), generateSpecSchema, specsSchema])

export const sendMessageRequestSchema = z
  .strictObject({
    parentId: idSchema.nullable().optional().meta({
      description: 'Required, `null` for a new root; in linear mode it must be left out.',
    }),
    content: contentSchema,
    role: z.enum(['user', 'system']).optional(),
    nodeId: idSchema.optional(),
    generate: generateSchema.optional(),
    activate: activateSchema.optional(),
    baseVersion: baseVersionSchema,
    metadata: z.strictObject({ ext: z.record(z.string(), z.unknown()) }).optional(),
  })
  .meta({ id: 'SendMessageRequest' })

const generationStartSchema = z.object({ generationId: idSchema, node: nodeSchema })

export const sendMessageSchema = z
  .object({
    version: versionSchema,
    node: nodeSchema,
    generations: z.array(generationStartSchema),
    activeLeafId: idSchema.nullable(),
    warnings: z.array(warningSchema),
  })
  .meta({ id: 'SendMessageResponse' })

export const generateRequestSchema = z.strictObject({
  specs: specsSchema.optional(),
  activate: activateSchema.optional(),
  baseVersion: baseVersionSchema,
})
export const generationsStartedSchema = z.object({
  version: versionSchema,
  generations: z.array(generationStartSchema),
  activeLeafId: idSchema.nullable(),
})

export const editNodeRequestSchema = z.strictObject({
  content: contentSchema,
  nodeId: idSchema.optional(),
  generate: generateSchema.optional(),
  activate: activateSchema.optional(),
  baseVersion: baseVersionSchema,
})

export const cancelRequestSchema = z.strictObject({ keepPartial: z.boolean().optional() })
export const cancelSchema = z.object({ generationId: idSchema, state: z.literal('cancelling') })
export const generationSchema = z.object({
  generationId: idSchema,
  nodeId: idSchema,
  state: z.enum(['queued', 'running']),
  model: z.string(),
  startedAt: z.string(),
})

export const summarizeRequestSchema = z.strictObject({
  nodeIds: z.array(idSchema).min(1).max(10_000).optional(),
  range: z.strictObject({ fromId: idSchema, toId: idSchema }).optional(),
  disableSources: z.boolean().optional(),
  placement: z.enum(['leaf', 'inline']).optional(),
  model: z.string().max(200).optional(),
  instructions: z.string().max(10_000).optional(),
})

export const mergeRequestSchema = z.strictObject({
  leafIds: z.array(idSchema).min(2).max(16),
  strategy: z.enum(['concat', 'interleave', 'synthesize']),
  baseId: idSchema.nullable().optional(),
  model: z.string().max(200).optional(),
})

export const compactRequestSchema = z.strictObject({
  instructions: z.string().max(10_000).optional(),
  model: z.string().max(200).optional(),
})

/** What was begun and goes on by itself: its end comes as an event about the node. */
export const begunSchema = z.object({ version: versionSchema, node: nodeSchema.optional() })

export type GenerateSpec = z.infer<typeof generateSpecSchema>
export type SendMessageRequest = z.infer<typeof sendMessageRequestSchema>
export type SendMessage = z.infer<typeof sendMessageSchema>
