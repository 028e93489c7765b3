import { z } from 'zod'
import { idSchema } from '../id.ts'
import {
  begunSchema,
  cancelRequestSchema,
  cancelSchema,
  compactRequestSchema,
  editNodeRequestSchema,
  generateRequestSchema,
  generationSchema,
  generationsStartedSchema,
  mergeRequestSchema,
  sendMessageRequestSchema,
  sendMessageSchema,
  summarizeRequestSchema,
} from '../message.ts'
import { flag } from './query.ts'
import { route } from './route.ts'
import { node, session } from './tree-routes.ts'

const queue = z.strictObject({ queue: flag.optional() })

/** Saying something and having it answered. What is begun here ends with an event. */
export const generateRoutes = {
  postMessage: route({
    method: 'POST',
    path: '/api/chat/{sessionId}/message',
    scope: 'write',
    summary: 'Says something and has it answered, once or several times side by side.',
    params: session,
    query: queue,
    body: sendMessageRequestSchema,
    replies: { 202: sendMessageSchema, 201: sendMessageSchema },
  }),
  generate: route({
    method: 'POST',
    path: '/api/chat/{sessionId}/node/{nodeId}/generate',
    scope: 'write',
    summary: 'Has a node answered; an answer gets a sibling.',
    params: node,
    query: queue,
    body: generateRequestSchema,
    replies: { 202: generationsStartedSchema },
  }),
  editNode: route({
    method: 'POST',
    path: '/api/chat/{sessionId}/node/{nodeId}/edit',
    scope: 'write',
    summary: 'Says it differently: a new sibling. The node stays as it is.',
    params: node,
    query: queue,
    body: editNodeRequestSchema,
    replies: { 202: sendMessageSchema, 201: sendMessageSchema },
  }),
  getGenerations: route({
    method: 'GET',
    path: '/api/chat/{sessionId}/generations',
    scope: 'read',
    summary: 'What is being generated, and what waits.',
    params: session,
    replies: { 200: z.array(generationSchema) },
  }),
  cancelGeneration: route({
    method: 'POST',
    path: '/api/chat/{sessionId}/generations/{generationId}/cancel',
    scope: 'write',
    summary: 'Stops a generation. What came is kept unless asked otherwise.',
    params: z.object({ sessionId: idSchema, generationId: idSchema }),
    body: cancelRequestSchema,
    replies: { 202: cancelSchema },
  }),
  summarize: route({
    method: 'POST',
    path: '/api/chat/{sessionId}/summarize',
    scope: 'write',
    summary: 'Sums up nodes; when it is done they are muted in the same commit.',
    params: session,
    body: summarizeRequestSchema,
    replies: { 202: begunSchema },
  }),
  merge: route({
    method: 'POST',
    path: '/api/chat/{sessionId}/merge',
    scope: 'write',
    summary: 'Joins branches into a new one under their common ancestor.',
    params: session,
    body: mergeRequestSchema,
    replies: { 202: begunSchema },
  }),
  compact: route({
    method: 'POST',
    path: '/api/chat/{sessionId}/compact',
    scope: 'write',
    summary: 'Sums up the beginning of the trunk.',
    params: session,
    body: compactRequestSchema,
    replies: { 202: begunSchema },
  }),
  resolveApproval: route({
    method: 'POST',
    path: '/api/chat/{sessionId}/approvals/{approvalId}',
    scope: 'write',
    summary: 'Answers whether a tool may run.',
    params: z.object({ sessionId: idSchema, approvalId: idSchema }),
    body: z.strictObject({
      decision: z.enum(['once', 'tool', 'edits', 'deny']),
      reason: z.string().max(2_000).optional(),
    }),
    replies: { 200: z.object({ approvalId: idSchema, decision: z.string() }) },
  }),
}
