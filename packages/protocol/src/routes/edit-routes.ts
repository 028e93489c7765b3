import { z } from 'zod'
import {
  activeLeafRequestSchema,
  activeLeafSchema,
  batchStateRequestSchema,
  batchStateSchema,
  editRequestSchema,
  editResultSchema,
  metadataPatchSchema,
  nodeStateRequestSchema,
  nodeStateSchema,
  undoRequestSchema,
} from '../edit.ts'
import { idSchema, versionSchema } from '../id.ts'
import { fragmentSchema, nodeSchema } from '../node.ts'
import { flag } from './query.ts'
import { route } from './route.ts'
import { node, session } from './tree-routes.ts'

const fragment = z.object({ sessionId: idSchema, fragmentId: idSchema })
const edit = {
  path: '/api/chat/{sessionId}/tree/edit',
  scope: 'write',
  summary: 'One edit of any number of operations: all or none. In linear mode, only metadata.',
  params: session,
  body: editRequestSchema,
  replies: { 200: editResultSchema },
} as const

/** Changing how a tree is read. Nothing is overwritten. */
export const editRoutes = {
  putEdit: route({ method: 'PUT', ...edit }),
  postEdit: route({ method: 'POST', ...edit }),
  putNodeState: route({
    method: 'PUT',
    path: '/api/chat/{sessionId}/node/{nodeId}/state',
    scope: 'write',
    summary: 'Mutes a node, or not. Refused in linear mode.',
    params: node,
    body: nodeStateRequestSchema,
    replies: { 200: nodeStateSchema },
  }),
  putNodesState: route({
    method: 'PUT',
    path: '/api/chat/{sessionId}/nodes/state',
    scope: 'write',
    summary: 'Mutes nodes, or not, in one commit. Refused in linear mode.',
    params: session,
    body: batchStateRequestSchema,
    replies: { 200: batchStateSchema },
  }),
  putActiveLeaf: route({
    method: 'PUT',
    path: '/api/chat/{sessionId}/active_leaf',
    scope: 'write',
    summary:
      'Where the conversation goes on; with a summary of the branch that is left if asked for. Refused in linear mode.',
    params: session,
    body: activeLeafRequestSchema,
    replies: { 200: activeLeafSchema },
  }),
  patchMetadata: route({
    method: 'PATCH',
    path: '/api/chat/{sessionId}/node/{nodeId}/metadata',
    scope: 'write',
    summary: 'Rates or labels a node; null takes a value away.',
    params: node,
    body: metadataPatchSchema,
    replies: { 200: nodeSchema },
  }),
  patchFragment: route({
    method: 'PATCH',
    path: '/api/chat/{sessionId}/stash/{fragmentId}',
    scope: 'write',
    summary: 'Gives a fragment of the stash a title.',
    params: fragment,
    body: z.strictObject({ title: z.string().max(500) }),
    replies: { 200: fragmentSchema },
  }),
  deleteFragment: route({
    method: 'DELETE',
    path: '/api/chat/{sessionId}/stash/{fragmentId}',
    scope: 'write',
    summary: 'Deletes a fragment; it can be restored. Refused in linear mode.',
    params: fragment,
    query: z.strictObject({
      purge: flag.optional().meta({
        description:
          'A fragment is not purged by itself, because a log only grows: 422 says what removes a text for good.',
      }),
    }),
    replies: { 200: z.object({ version: versionSchema, deletedIds: z.array(idSchema) }) },
  }),
  undo: route({
    method: 'POST',
    path: '/api/chat/{sessionId}/undo',
    scope: 'write',
    summary: 'Takes back an edit: the one named, or one’s own latest. To name it makes it safe to repeat.',
    params: session,
    body: undoRequestSchema,
    replies: { 200: editResultSchema },
  }),
  redo: route({
    method: 'POST',
    path: '/api/chat/{sessionId}/redo',
    scope: 'write',
    summary: 'Takes back an undo: one’s own latest, or that of the edit named.',
    params: session,
    body: undoRequestSchema,
    replies: { 200: editResultSchema },
  }),
}
