import { plainText } from '@treeline/core'
import type { ChatMessageNode, Role } from '@treeline/protocol'
import { explainFailure } from '../chat/explain-failure.ts'
import { plainWords } from '../markdown/plain-words.ts'
import type { OpenSession } from '../state/open-session.ts'

const LONGEST = 400
/** More than are ever on screen. */
const MOST_KEPT = 5_000

const kept = new WeakMap<object, string>()
/** Of each session by node: a preview, and what it comes to. Asked for in every picture. */
const keptPreviews = new WeakMap<OpenSession, Map<string, { readonly preview: string; readonly line: string }>>()

/** What a node says as one line; of an answer on its way, what has come so far. `undefined` until it is known. */
export function lineOf(session: OpenSession, nodeId: string): string | undefined {
  const live = session.texts.get(nodeId)
  if (live !== undefined) return plainWords((live.text === '' ? live.thinking : live.text).slice(-LONGEST), true)
  const node = session.node(nodeId)
  if (node === undefined) return lineOfPreview(session, nodeId)
  const known = kept.get(node) ?? oneLine(textOf(node), node.role, node.content.length > LONGEST)
  kept.set(node, known)
  return known
}

function lineOfPreview(session: OpenSession, nodeId: string): string | undefined {
  const preview = session.bodies.preview(nodeId)
  if (preview === undefined) return undefined
  const lines = keptPreviews.get(session) ?? new Map()
  keptPreviews.set(session, lines)
  const known = lines.get(nodeId)
  if (known?.preview === preview) return known.line
  if (lines.size > MOST_KEPT) lines.clear()
  const { tree } = session
  const line = oneLine(preview, tree.roleOf(tree.place(nodeId)), preview.endsWith('…'))
  lines.set(nodeId, { preview, line })
  return line
}

/** A node without words is known by what it calls, and one that failed before its first word by why. */
function textOf(node: ChatMessageNode): string {
  const { content, parts = [] } = node
  if (content.trim() !== '') return content.slice(0, LONGEST)
  const named = parts.map((part) => (part.type === 'tool_call' ? `${part.name}(…)` : part.type === 'image' ? '▣' : ''))
  return named.join(' ').trim() || (explainFailure(node)?.replace('\n', ' ') ?? '')
}

/** What a tool puts out is no markdown: there a star is a star. */
function oneLine(text: string, role: Role, isCut: boolean): string {
  return role === 'tool' ? plainText(text).replace(/\s+/gu, ' ').trim() : plainWords(text, isCut)
}
