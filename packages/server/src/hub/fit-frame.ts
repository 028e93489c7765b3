import { cutNode } from '../wire/cut-node.ts'
import { Frame, MAX_FRAME_BYTES } from './frame.ts'
import { CHARS_OF_FRAME } from './text-pieces.ts'

/** The frame itself when everybody takes it; else with less of what its nodes say, which they say (`contentTruncated`). */
export function fitFrame(frame: Frame): Frame {
  if (frame.bytes.byteLength <= MAX_FRAME_BYTES) return frame
  const { seq, events } = frame
  const share = Math.floor(CHARS_OF_FRAME / events.length)
  return new Frame(
    seq,
    events.map((event) => ('node' in event ? { ...event, node: cutNode(event.node, share) } : event)),
  )
}
