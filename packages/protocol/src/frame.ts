import { z } from 'zod'
import { chatEventSchema } from './event.ts'
import { idSchema, timeSchema } from './id.ts'
import { problemSchema } from './problem.ts'

/** The WebSocket subprotocol. */
export const SUBPROTOCOL = 'chat.v1'

const requestId = z.int().nonnegative()

export const clientFrameSchema = z
  .discriminatedUnion('t', [
    z.strictObject({ t: z.literal('hello'), protocol: z.literal(1), client: z.string().max(200).optional() }),
    z.strictObject({
      t: z.literal('subscribe'),
      id: requestId,
      sessionId: idSchema,
      afterSeq: z.int().nonnegative().optional(),
      epoch: z.string().max(100).optional(),
      deltas: z.boolean().optional(),
      nodeIds: z.array(idSchema).max(1_000).optional(),
      aliases: z.boolean().optional(),
    }),
    z.strictObject({ t: z.literal('unsubscribe'), id: requestId, sessionId: idSchema }),
    z.strictObject({ t: z.literal('ack'), sessionId: idSchema, seq: z.int().nonnegative() }),
    z.strictObject({
      t: z.literal('resync'),
      id: requestId,
      sessionId: idSchema,
      nodeId: idSchema,
      from: z.int().nonnegative(),
    }),
    z.strictObject({ t: z.literal('cancel'), id: requestId, generationId: idSchema }),
    /** Which sessions change, whatever changes in them: `ok`, then `sessions.updated`. */
    z.strictObject({ t: z.literal('subscribe_list'), id: requestId }),
    z.strictObject({ t: z.literal('unsubscribe_list'), id: requestId }),
    z.strictObject({ t: z.literal('pause') }),
    z.strictObject({ t: z.literal('resume') }),
    z.strictObject({ t: z.literal('ping'), n: z.number() }),
  ])
  .meta({ id: 'ClientFrame' })

export const serverFrameSchema = z
  .discriminatedUnion('t', [
    z.object({
      t: z.literal('welcome'),
      connectionId: idSchema,
      protocol: z.literal(1),
      heartbeatMs: z.int(),
      maxFrameBytes: z.int(),
      ackWindow: z.int(),
    }),
    z.object({
      t: z.literal('subscribed'),
      id: requestId,
      sessionId: idSchema,
      headSeq: z.int(),
      replayFrom: z.int(),
      epoch: z.string(),
    }),
    z.object({ t: z.literal('replay_done'), sessionId: idSchema, seq: z.int() }),
    z.object({
      t: z.literal('snapshot_required'),
      id: requestId,
      sessionId: idSchema,
      headSeq: z.int(),
      oldestSeq: z.int(),
      epoch: z.string(),
    }),
    z.object({ t: z.literal('events'), seq: z.int().nullable(), events: z.array(chatEventSchema) }),
    /** Of no one session, so no event of one: those that were made, changed or removed since the last. */
    z.object({ t: z.literal('sessions.updated'), ts: timeSchema, ids: z.array(idSchema) }),
    z.object({ t: z.literal('lag'), sessionId: idSchema, droppedDeltas: z.int() }),
    z.object({ t: z.literal('ok'), id: requestId }),
    z.object({ t: z.literal('error'), id: requestId.optional(), problem: problemSchema }),
    z.object({ t: z.literal('pong'), n: z.number() }),
    z.object({ t: z.literal('bye'), code: z.int(), reason: z.string() }),
  ])
  .meta({ id: 'ServerFrame' })

/** Why a connection was closed. */
export const CLOSE = {
  unauthorized: 4001,
  protocolError: 4002,
  forbidden: 4003,
  slowConsumer: 4008,
  sessionDeleted: 4010,
  helloTimeout: 4011,
  restart: 1012,
} as const

export type ClientFrame = z.infer<typeof clientFrameSchema>
export type ServerFrame = z.infer<typeof serverFrameSchema>
