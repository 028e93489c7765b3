import type { EphemeralEvent } from '@treeline/protocol'
import type { RunningTexts } from '../hub/running-texts.ts'

/** Characters of one frame: escaped, one can take six bytes. */
const CHARS_OF_FRAME = 160_000

/**
 * What an answer on its way says by now, as frames: a snapshot, the rest of a long one in pieces behind it, and what it
 * thought. What is told of it next goes on from there. Nothing of one that is not on its way.
 */
export function textSoFar(sessionId: string, nodeId: string, texts: RunningTexts): readonly Buffer[] {
  const content = texts.told(nodeId, 'text')
  const thought = texts.told(nodeId, 'thinking')
  if (content === undefined || thought === undefined) return []
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
  return events.map((event) => Buffer.from(JSON.stringify({ t: 'events', seq: null, events: [event] })))
}

/** No character is split. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + CHARS_OF_FRAME)
    const last = text.charCodeAt(end - 1)
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end--
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}
