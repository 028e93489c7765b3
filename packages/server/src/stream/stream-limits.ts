import { MAX_FRAME_BYTES } from '../hub/frame.ts'

/** What a connection may hold and how long it may take. Most of it is said in API.md; `welcome` tells clients. */
export interface StreamLimits {
  /** Connections that are open at once; whoever comes then is asked to come back later. */
  readonly sockets: number
  readonly helloMs: number
  readonly heartbeatMs: number
  /** Of one frame, either way. */
  readonly maxFrameBytes: number
  readonly ackWindow: number
  /** How long a client may be four windows behind with its acks. */
  readonly unackedMs: number
  /** From here on what is to be sent waits here, and text is put together. */
  readonly queueBytes: number
  /** From here on text is left out. */
  readonly dropBytes: number
  /** From here on the client is too slow. */
  readonly closeBytes: number
  /** And from here on all clients together: then the slowest of them is. */
  readonly sharedBytes: number
  readonly subscriptions: number
  /** Of frames that a client sends: so many at once, then so many a second. */
  readonly frameBurst: number
  readonly framesPerSecond: number
  /** How long the other side has to agree that a connection is over. With the time to notice, less than a second. */
  readonly closingMs: number
  /** How long a server that stops waits for what is queued. */
  readonly drainMs: number
}

export const STREAM_LIMITS: StreamLimits = {
  sockets: 4_096,
  helloMs: 5_000,
  heartbeatMs: 20_000,
  maxFrameBytes: MAX_FRAME_BYTES,
  ackWindow: 256,
  unackedMs: 30_000,
  queueBytes: 64 * 1024,
  dropBytes: 1024 * 1024,
  closeBytes: 8 * 1024 * 1024,
  sharedBytes: 256 * 1024 * 1024,
  subscriptions: 1_000,
  frameBurst: 3_000,
  framesPerSecond: 200,
  closingMs: 400,
  drainMs: 2_000,
}
