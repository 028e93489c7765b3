import type { ChatMessageNode } from '@treeline/protocol'
import type { OpenSession } from '../state/open-session.ts'

const LONGEST = 400

const kept = new WeakMap<object, string>()

/** What a node says as one line; of an answer on its way, what has come so far. `undefined` until it is known. */
export function lineOf(session: OpenSession, nodeId: string): string | undefined {
  const live = session.texts.get(nodeId)
  if (live !== undefined) return oneLine(live.text === '' ? live.thinking.slice(-LONGEST) : live.text.slice(-LONGEST))
  const node = session.node(nodeId)
  if (node === undefined) {
    const preview = session.bodies.preview(nodeId)
    return preview === undefined ? undefined : oneLine(preview)
  }
  const known = kept.get(node) ?? oneLine(textOf(node))
  kept.set(node, known)
  return known
}

/** A node without words is known by what it calls. */
function textOf({ content, parts = [] }: ChatMessageNode): string {
  if (content.trim() !== '') return content.slice(0, LONGEST)
  return parts
    .map((part) => (part.type === 'tool_call' ? `${part.name}(…)` : part.type === 'image' ? '▣' : ''))
    .join(' ')
}

function oneLine(text: string): string {
  return text.slice(0, LONGEST).replace(/\s+/gu, ' ').trim()
}
