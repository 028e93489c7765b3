import { z } from 'zod'
import { searchSchema } from '../context.ts'
import { idSchema, sha256Schema, timeSchema } from '../id.ts'
import { limitsSchema } from '../limits.ts'
import {
  createSessionRequestSchema,
  forkRequestSchema,
  forkSchema,
  formatSchema,
  importRequestSchema,
  importSchema,
  patchSessionRequestSchema,
  restoreRequestSchema,
  sessionPageSchema,
  sessionSummarySchema,
  trashPageSchema,
} from '../session.ts'
import { historyTreeSchema } from '../tree.ts'
import { count, cursor, flag, textOrNone } from './query.ts'
import { route } from './route.ts'
import { session } from './tree-routes.ts'

const modelSchema = z.object({
  ref: z.string(),
  contextWindow: z.int(),
  isUsable: z.boolean(),
  isDefault: z.boolean(),
  prices: z.object({ input: z.number(), output: z.number() }).nullable(),
})

/** Sessions as wholes, and what is about none of them. */
export const sessionRoutes = {
  listSessions: route({
    method: 'GET',
    path: '/api/chat/sessions',
    scope: 'read',
    summary: 'Sessions, the latest first.',
    query: z.strictObject({
      limit: count(200),
      cursor,
      q: z.string().max(1_000).optional(),
      tag: textOrNone(100),
      starred: flag.optional().meta({ description: 'Only starred sessions.' }),
      archived: flag.optional().meta({ description: 'Also archived sessions.' }),
      empty: flag
        .default(true)
        .meta({ description: 'Also sessions in which nothing was asked yet; they are unless false.' }),
      sort: z.enum(['-updatedAt', 'updatedAt', '-createdAt', 'createdAt', 'title']).default('-updatedAt'),
    }),
    replies: { 200: sessionPageSchema },
  }),
  createSession: route({
    method: 'POST',
    path: '/api/chat/sessions',
    scope: 'write',
    summary: 'Begins a session.',
    body: createSessionRequestSchema,
    replies: { 201: historyTreeSchema },
  }),
  getSession: route({
    method: 'GET',
    path: '/api/chat/sessions/{sessionId}',
    scope: 'read',
    summary: 'What is known about a session without reading it.',
    params: session,
    replies: { 200: sessionSummarySchema, 304: undefined },
  }),
  patchSession: route({
    method: 'PATCH',
    path: '/api/chat/sessions/{sessionId}',
    scope: 'write',
    summary: 'Renames, tags, stars, archives a session, or makes it linear.',
    params: session,
    body: patchSessionRequestSchema,
    replies: { 200: sessionSummarySchema },
  }),
  deleteSession: route({
    method: 'DELETE',
    path: '/api/chat/sessions/{sessionId}',
    scope: 'write',
    summary: 'Puts a session into the trash; with purge=true out of it, which needs the scope admin.',
    params: session,
    query: z.strictObject({ purge: flag.optional() }),
    replies: { 204: undefined },
  }),
  listTrash: route({
    method: 'GET',
    path: '/api/chat/trash',
    scope: 'read',
    summary: 'Sessions in the trash, the latest first.',
    query: z.strictObject({ limit: count(200), cursor }),
    replies: { 200: trashPageSchema },
  }),
  restoreSession: route({
    method: 'POST',
    path: '/api/chat/sessions/{sessionId}/restore',
    scope: 'write',
    summary: 'Brings a session back from the trash: the one that was removed last, or the one that is named.',
    params: session,
    body: restoreRequestSchema,
    replies: { 200: sessionSummarySchema },
  }),
  importSession: route({
    method: 'POST',
    path: '/api/chat/sessions/import',
    scope: 'write',
    summary: 'Takes a session of another tool, every branch of it: as JSON, as a form with `file`, or its bytes alone.',
    query: z.strictObject({ format: formatSchema.optional() }),
    body: importRequestSchema,
    takesBytes: true,
    takesForm: true,
    replies: { 201: importSchema },
  }),
  exportSession: route({
    method: 'GET',
    path: '/api/chat/sessions/{sessionId}/export',
    scope: 'read',
    summary: 'A session as a file.',
    params: session,
    query: z.strictObject({
      format: z.enum(['json', 'jsonl', 'markdown', 'text', 'html']).default('json'),
      scope: z
        .string()
        .regex(/^(trunk|tree|node:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$/)
        .default('tree'),
      enabledOnly: flag.optional(),
    }),
    replies: { 200: 'bytes' },
  }),
  forkSession: route({
    method: 'POST',
    path: '/api/chat/sessions/{sessionId}/fork',
    scope: 'write',
    summary: 'Makes a new session of a path, a subtree or all.',
    params: session,
    body: forkRequestSchema,
    replies: { 201: forkSchema },
  }),
  getConfig: route({
    method: 'GET',
    path: '/api/chat/{sessionId}/config',
    scope: 'read',
    summary: 'What is configured for this session.',
    params: session,
    replies: { 200: z.looseObject({}) },
  }),
  putConfig: route({
    method: 'PUT',
    path: '/api/chat/{sessionId}/config',
    scope: 'write',
    summary: 'Configures this session. The mode yolo cannot be set here.',
    params: session,
    body: z.looseObject({}),
    replies: { 200: z.looseObject({}) },
  }),
  search: route({
    method: 'GET',
    path: '/api/chat/search',
    scope: 'read',
    summary: 'Nodes of all sessions that say something, the newest first.',
    query: z.strictObject({
      q: z.string().min(1).max(1_000),
      role: z.string().max(20).optional(),
      limit: count(200),
      cursor,
    }),
    replies: { 200: searchSchema },
  }),
  getModels: route({
    method: 'GET',
    path: '/api/chat/models',
    scope: 'read',
    summary: 'Who can be asked.',
    replies: { 200: z.object({ models: z.array(modelSchema) }) },
  }),
  getLimits: route({
    method: 'GET',
    path: '/api/chat/limits',
    scope: 'read',
    summary: 'How much is taken at once.',
    replies: { 200: limitsSchema },
  }),
  putBlob: route({
    method: 'PUT',
    path: '/api/chat/blobs/{sha256}',
    scope: 'write',
    summary: 'Keeps a large value under its hash.',
    params: z.object({ sha256: sha256Schema }),
    takesBytes: true,
    replies: {
      201: z.object({ blob: z.string(), sizeBytes: z.int() }),
      200: z.object({ blob: z.string(), sizeBytes: z.int() }),
    },
  }),
  getBlob: route({
    method: 'GET',
    path: '/api/chat/blobs/{sha256}',
    scope: 'read',
    summary: 'A large value by its hash.',
    params: z.object({ sha256: sha256Schema }),
    replies: { 200: 'bytes', 304: undefined },
  }),
  listTokens: route({
    method: 'GET',
    path: '/api/chat/tokens',
    scope: 'admin',
    summary: 'Who may ask, without the secrets.',
    replies: {
      200: z.object({
        tokens: z.array(
          z.object({
            kind: z.enum(['token', 'cookie']),
            name: z.string(),
            scope: z.string(),
            createdAt: timeSchema,
            expiresAt: timeSchema.optional(),
          }),
        ),
      }),
    },
  }),
  createToken: route({
    method: 'POST',
    path: '/api/chat/tokens',
    scope: 'admin',
    summary: 'Makes a named token. It is shown this once.',
    body: z.strictObject({ name: idSchema, scope: z.enum(['read', 'write', 'admin']) }),
    replies: { 201: z.object({ name: z.string(), scope: z.string(), token: z.string() }) },
  }),
  revokeToken: route({
    method: 'DELETE',
    path: '/api/chat/tokens/{name}',
    scope: 'admin',
    summary: 'Makes a token worthless; its connections are closed.',
    params: z.object({ name: idSchema }),
    replies: { 204: undefined },
  }),
}
