import { Frame } from '../hub/frame.ts'

/** The last that is told of a session. It is in no log any more, and has the number that would have come next. */
export function deletedFrame(sessionId: string, seq: number): Frame {
  const ts = new Date().toISOString()
  return new Frame(seq, [{ type: 'session.deleted', seq, version: seq, ts, sessionId }])
}
