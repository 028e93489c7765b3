import { z } from 'zod'
import { idSchema, timeSchema, versionSchema } from './id.ts'
import { fragmentSchema, nodeSchema, skeletonNodeSchema } from './node.ts'

export const modeSchema = z.enum(['tree', 'linear'])

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

/**
 * The tree as arrays, a place per node in the order of creation. `parent` is the place of the parent, -1 for a root, -2 for the
 * top of a fragment; `time` is milliseconds after `timeBase`; `order` is left out where siblings stand as they came.
 */
export const columnsTreeSchema = z
  .object({
    ...headShape,
    columns: z.object({
      id: z.array(idSchema),
      parent: z.array(z.int()),
      role: z.array(z.int()).meta({ description: '0 system, 1 user, 2 assistant, 3 tool' }),
      flags: z.array(z.int()).meta({ description: '1 disabled, 2 detached, 4 generating, 8 error, 16 labelled' }),
      time: z.array(z.int()),
      timeBase: z.int(),
      reordered: z.record(idSchema, z.array(idSchema)),
    }),
  })
  .meta({ id: 'ColumnsTree' })

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
