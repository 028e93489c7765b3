/** `@treeline/agent/testing`: what tests of this and later packages talk to instead of the world. */

export {
  type ModelServer,
  type ReceivedRequest,
  type ReplyScript,
  startModelServer,
} from './model-server/model-server.ts'
export type { Fault, ModelReply } from './model-server/reply.ts'
