import { z } from 'zod'
import { columnsSchema } from './columns.ts'
import { idSchema, timeSchema, versionSchema } from './id.ts'
import { fragmentSchema, nodeSchema, skeletonNodeSchema } from './node.ts'

export const modeSchema = z.enum(['tree', 'linear']).meta({
  description:
    'In linear mode the conversation goes along the path of its newest message, and every node counts as enabled. Nothing ' +
    'is changed by it. Until it is `tree` again, what cuts, moves, deletes, enables or chooses is refused with 403 ' +
    '`linear_mode`; ratings, labels, other metadata and titles can be set, and an undo does what an edit may.',
})

const generatingSchema = z.object({ nodeId: idSchema, generationId: idSchema, startedAt: timeSchema })

const headShape = {
  sessionId: idSchema,
  version: versionSchema,
  epoch: z.string().meta({ description: 'Changes when the log is rewritten: reload then.' }),
  title: z.string(),
  mode: modeSchema,
  rootNodeIds: z.array(idSchema),
  rootNodeId: idSchema.nullable(),
  activeLeafId: idSchema.nullable(),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  fragments: z.array(fragmentSchema),
  generating: z.array(generatingSchema),
  nextCursor: z.string().nullable(),
}

/** T9: the whole tree, or a page of it. */
export const historyTreeSchema = z
  .object({ ...headShape, nodes: z.record(idSchema, nodeSchema) })
  .meta({ id: 'ChatHistoryTree' })

export const skeletonTreeSchema = z
  .object({ ...headShape, nodes: z.array(skeletonNodeSchema) })
  .meta({ id: 'SkeletonTree' })

export const columnsTreeSchema = z.object({ ...headShape, columns: columnsSchema }).meta({ id: 'ColumnsTree' })

export const trunkSchema = z
  .object({
    sessionId: idSchema,
    version: versionSchema,
    activeLeafId: idSchema.nullable(),
    items: z.array(
      z.object({
        node: nodeSchema,
        siblings: z.object({ index: z.int(), count: z.int(), ids: z.array(idSchema) }),
        hiddenBefore: z.int(),
      }),
    ),
    hiddenAfter: z.int().optional().meta({ description: 'Disabled nodes below the last item, if any.' }),
    before: z.string().nullable().meta({ description: 'The cursor of what stands above; null at the root.' }),
  })
  .meta({ id: 'Trunk' })

export const branchSchema = z
  .object({
    leafId: idSchema,
    length: z.int(),
    preview: z.string(),
    lastActivityAt: timeSchema,
    isTrunk: z.boolean(),
    labels: z.array(z.string()),
    status: z.enum(['generating', 'complete', 'error']),
  })
  .meta({ id: 'Branch' })

export type ChatHistoryTree = z.infer<typeof historyTreeSchema>
export type SkeletonTree = z.infer<typeof skeletonTreeSchema>
export type ColumnsTree = z.infer<typeof columnsTreeSchema>
export type Trunk = z.infer<typeof trunkSchema>
export type Branch = z.infer<typeof branchSchema>
