import type { EphemeralEvent } from '@treeline/protocol'
import type { RunningTexts } from '../hub/running-texts.ts'
import { TextFrame } from '../hub/text-frame.ts'
import { piecesOf } from '../hub/text-pieces.ts'

/** What was made last for each answer: everybody who comes back at once gets the same bytes. */
const made = new WeakMap<object, { readonly length: number; readonly frames: readonly Buffer[] }>()

/**
 * What an answer on its way says by now, as frames: a snapshot, the rest of a long one in pieces behind it, and what it
 * thought. What is told of it next goes on from there. Nothing of one that is not on its way.
 */
export function textSoFar(sessionId: string, nodeId: string, texts: RunningTexts): readonly Buffer[] {
  const content = texts.told(nodeId, 'text')
  const thought = texts.told(nodeId, 'thinking')
  const answer = texts.get(nodeId)
  if (answer === undefined || content === undefined || thought === undefined) return []
  const length = content.length + thought.length
  const known = made.get(answer)
  // It only ever grows.
  if (known?.length === length) return known.frames
  const common = { seq: null, ts: new Date().toISOString(), sessionId }
  const [first = '', ...rest] = piecesOf(content)
  const events: EphemeralEvent[] = []
  let offset = 0
  for (const contentChunk of piecesOf(thought)) {
    const patch = { id: nodeId, contentChunk, offset, partType: 'thinking' }
    events.push({ ...common, type: 'node.content.updated', patch })
    offset += contentChunk.length
  }
  events.push({
    ...common,
    type: 'node.content.snapshot',
    id: nodeId,
    content: first,
    contentLength: content.length,
  })
  offset = first.length
  for (const contentChunk of rest) {
    events.push({ ...common, type: 'node.content.updated', patch: { id: nodeId, contentChunk, offset } })
    offset += contentChunk.length
  }
  const frames = events.map((event) => new TextFrame(JSON.stringify({ t: 'events', seq: null, events: [event] })).wire)
  made.set(answer, { length, frames })
  return frames
}
