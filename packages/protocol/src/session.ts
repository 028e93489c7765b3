import { z } from 'zod'
import { idSchema, timeSchema, versionSchema } from './id.ts'
import { modeSchema } from './tree.ts'

const titleSchema = z.string().max(500)
const tagsSchema = z.array(z.string().min(1).max(100)).max(50)

export const sessionSummarySchema = z
  .object({
    sessionId: idSchema,
    title: z.string(),
    mode: modeSchema,
    nodeCount: z.int(),
    branchCount: z.int(),
    generating: z.int(),
    tags: z.array(z.string()),
    starred: z.boolean(),
    archived: z.boolean(),
    createdAt: timeSchema,
    updatedAt: timeSchema,
    version: versionSchema,
    preview: z.string(),
    cwd: z.string(),
    tool: z.string().meta({ description: 'Whose session it is: `treeline`, or the name of the other tool.' }),
  })
  .meta({ id: 'SessionSummary' })

export const sessionPageSchema = z.object({ items: z.array(sessionSummarySchema), nextCursor: z.string().nullable() })

export const createSessionRequestSchema = z.strictObject({
  sessionId: idSchema.optional(),
  title: titleSchema.optional(),
  mode: modeSchema.optional(),
  tags: tagsSchema.optional(),
  settings: z.strictObject({ model: z.string().max(200).optional(), systemPrompt: z.string().optional() }).optional(),
})

export const patchSessionRequestSchema = z.strictObject({
  title: titleSchema.optional(),
  tags: tagsSchema.optional(),
  mode: modeSchema.optional(),
  settings: createSessionRequestSchema.shape.settings,
  starred: z.boolean().optional(),
  archived: z.boolean().optional(),
})

export const formatSchema = z
  .string()
  .max(40)
  .meta({ description: '`auto` by default, `native` for our own; else the names that `treeline import` knows.' })
export const importRequestSchema = z.strictObject({
  format: formatSchema.optional(),
  data: z.string().meta({ description: 'The file as text.' }),
})
export const importSchema = z.object({
  sessionId: idSchema,
  imported: z.int(),
  skipped: z.int(),
  warnings: z.array(z.string()),
})

export const forkRequestSchema = z.strictObject({
  nodeId: idSchema.nullable(),
  scope: z.enum(['path', 'subtree', 'tree']),
  title: titleSchema.optional(),
})
export const forkSchema = z.object({ sessionId: idSchema, version: versionSchema, leftOut: z.array(z.string()) })

export const trashedSessionSchema = z
  .object({
    trashId: idSchema,
    sessionId: idSchema,
    title: z.string(),
    preview: z.string(),
    trashedAt: timeSchema.nullable().meta({ description: '`null` when what was noted of it cannot be read.' }),
    sizeBytes: z.int(),
  })
  .meta({ id: 'TrashedSession' })
export const trashPageSchema = z.object({ items: z.array(trashedSessionSchema), nextCursor: z.string().nullable() })
export const restoreRequestSchema = z.strictObject({ trashId: idSchema.optional() })

export type TrashedSession = z.infer<typeof trashedSessionSchema>
export type SessionSummary = z.infer<typeof sessionSummarySchema>
export type SessionPage = z.infer<typeof sessionPageSchema>
