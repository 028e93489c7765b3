import { type ClientFrame, clientFrameSchema } from '@treeline/protocol'

/** `undefined` when it is none of ours: bytes, no JSON, unknown, or with fields that it has not. */
export function readFrame(data: unknown, isBinary: boolean): ClientFrame | undefined {
  if (isBinary) return undefined
  try {
    return clientFrameSchema.safeParse(JSON.parse(String(data))).data
  } catch {
    // The one who sent it is told, and the connection is closed.
    return undefined
  }
}
