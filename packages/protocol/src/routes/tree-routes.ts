import { z } from 'zod'
import { compareSchema, contextPreviewSchema, searchSchema } from '../context.ts'
import { eventPageSchema } from '../event.ts'
import { idSchema, versionSchema } from '../id.ts'
import { fragmentSchema, nodeSchema, skeletonNodeSchema } from '../node.ts'
import { branchSchema, columnsTreeSchema, historyTreeSchema, skeletonTreeSchema, trunkSchema } from '../tree.ts'
import { count, cursor, flag, list, seq } from './query.ts'
import { route } from './route.ts'

export const session = z.object({ sessionId: idSchema })
export const node = z.object({ sessionId: idSchema, nodeId: idSchema })

/** Reading one session. */
export const treeRoutes = {
  getTree: route({
    method: 'GET',
    path: '/api/chat/{sessionId}/tree',
    scope: 'read',
    summary: 'The tree: whole, as a skeleton, as columns, or its trunk.',
    params: session,
    query: z.strictObject({
      view: z.enum(['full', 'columns', 'skeleton', 'trunk']).default('full'),
      limit: count(5_000),
      cursor,
      atSeq: seq.optional(),
      include: list(2).optional(),
      stream: flag.optional(),
    }),
    replies: {
      200: z.union([historyTreeSchema, skeletonTreeSchema, columnsTreeSchema, trunkSchema]),
      304: undefined,
    },
    alsoAs: 'application/x-ndjson',
  }),
  getNode: route({
    method: 'GET',
    path: '/api/chat/{sessionId}/node/{nodeId}',
    scope: 'read',
    summary: 'One node.',
    params: node,
    replies: { 200: nodeSchema, 304: undefined },
  }),
  getNodes: route({
    method: 'GET',
    path: '/api/chat/{sessionId}/nodes',
    scope: 'read',
    summary: 'Some nodes, whole or as a skeleton; unknown ones are left out.',
    params: session,
    query: z.strictObject({ ids: list(200), view: z.enum(['full', 'skeleton']).default('full') }),
    replies: {
      200: z.object({ version: versionSchema, nodes: z.array(z.union([nodeSchema, skeletonNodeSchema])) }),
      304: undefined,
    },
  }),
  getContent: route({
    method: 'GET',
    path: '/api/chat/{sessionId}/node/{nodeId}/content',
    scope: 'read',
    summary: 'What a node says, from a place on; of one that is generated, so far.',
    params: node,
    query: z.strictObject({ from: seq.default(0) }),
    replies: {
      200: z.object({
        id: idSchema,
        from: z.int(),
        content: z.string(),
        contentLength: z.int(),
        status: z.enum(['generating', 'complete', 'error']),
      }),
    },
  }),
  getChildren: route({
    method: 'GET',
    path: '/api/chat/{sessionId}/node/{nodeId}/children',
    scope: 'read',
    summary: 'The children of a node, in order.',
    params: node,
    query: z.strictObject({ limit: count(200), cursor }),
    replies: {
      200: z.object({ version: versionSchema, nodes: z.array(nodeSchema), nextCursor: z.string().nullable() }),
      304: undefined,
    },
  }),
  getBranches: route({
    method: 'GET',
    path: '/api/chat/{sessionId}/branches',
    scope: 'read',
    summary: 'Where the branches end.',
    params: session,
    replies: { 200: z.array(branchSchema), 304: undefined },
  }),
  getTreeText: route({
    method: 'GET',
    path: '/api/chat/{sessionId}/tree.txt',
    scope: 'read',
    summary: 'The tree drawn with characters.',
    params: session,
    query: z.strictObject({ style: z.enum(['typed', 'ids']).default('typed') }),
    replies: { 200: 'text', 304: undefined },
  }),
  compare: route({
    method: 'GET',
    path: '/api/chat/{sessionId}/compare',
    scope: 'read',
    summary: 'Two branches from their common ancestor on.',
    params: session,
    query: z.strictObject({ left: idSchema, right: idSchema }),
    replies: { 200: compareSchema, 304: undefined },
  }),
  searchSession: route({
    method: 'GET',
    path: '/api/chat/{sessionId}/search',
    scope: 'read',
    summary: 'Nodes of this session that say something.',
    params: session,
    query: z.strictObject({
      q: z.string().min(1).max(1_000),
      role: z.string().max(20).optional(),
      enabled: flag.optional(),
      limit: count(200),
      cursor,
    }),
    replies: { 200: searchSchema },
  }),
  getContext: route({
    method: 'GET',
    path: '/api/chat/{sessionId}/context',
    scope: 'read',
    summary: 'What the model would receive, and what if some nodes were muted or not.',
    params: session,
    query: z.strictObject({
      leafId: idSchema.optional(),
      strategy: z.string().max(50).optional(),
      model: z.string().max(200).optional(),
      mute: list(1_000).optional(),
      unmute: list(1_000).optional(),
    }),
    replies: { 200: contextPreviewSchema },
  }),
  getStash: route({
    method: 'GET',
    path: '/api/chat/{sessionId}/stash',
    scope: 'read',
    summary: 'What was pruned and can be grafted again.',
    params: session,
    replies: { 200: z.object({ version: versionSchema, fragments: z.array(fragmentSchema) }), 304: undefined },
  }),
  getEvents: route({
    method: 'GET',
    path: '/api/chat/{sessionId}/events',
    scope: 'read',
    summary: 'Durable events after a sequence number: at once, by long poll, or as a stream of server-sent events.',
    params: session,
    query: z.strictObject({
      afterSeq: seq.default(0),
      limit: count(500),
      waitMs: z.coerce.number().int().min(0).max(60_000).default(0),
      epoch: z.string().max(100).optional(),
    }),
    replies: { 200: eventPageSchema },
    alsoAs: 'text/event-stream',
  }),
}
