import { z } from 'zod'
import { idSchema } from './id.ts'

/** RFC 9457. `code` is one of core's closed set; a client that meets another one goes by `status`. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string().optional(),
    requestId: z.string(),
    currentVersion: z.int().optional(),
    conflicts: z.array(z.object({ nodeId: idSchema, version: z.int(), reason: z.string() })).optional(),
    opIndex: z.int().optional(),
    nodeIds: z.array(z.string()).optional().meta({ description: 'The nodes it is about, the first of them.' }),
    retryAfterMs: z.int().optional(),
    tokens: z.int().optional(),
  })
  .meta({ id: 'Problem' })

export const warningSchema = z
  .object({ code: z.string(), nodeIds: z.array(idSchema), detail: z.string() })
  .meta({ id: 'Warning' })

export type Problem = z.infer<typeof problemSchema>
export type Warning = z.infer<typeof warningSchema>
