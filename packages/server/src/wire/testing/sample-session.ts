import type { EntryDraft } from '@treeline/core'
import type { ChatMessageNode } from '@treeline/protocol'
import { openMemoryStore, type Session, type SessionStore } from '@treeline/store'
import { toNode } from '../to-node.ts'
import { withBodies } from '../with-bodies.ts'

export interface Sample extends AsyncDisposable {
  readonly store: SessionStore
  readonly session: Session
}

/** A session of its own store, with a question, its answer, and so on by turns under the ids given. */
export async function openSample(...ids: readonly string[]): Promise<Sample> {
  const store = await openMemoryStore()
  const session = await store.create({ title: 'Sample', cwd: '/project' })
  await converse(session, ...ids)
  return { store, session, [Symbol.asyncDispose]: () => store.close() }
}

async function converse(session: Session, ...ids: readonly string[]): Promise<void> {
  for (const [i, id] of ids.entries()) {
    await session.append(i % 2 === 0 ? user(`says ${id}`, id) : assistant(`says ${id}`, { id }))
  }
}

export function user(content: unknown, id?: string): EntryDraft {
  return { type: 'message', ...(id && { id }), message: { role: 'user', content, timestamp: 1 } }
}

export function assistant(text: string, { id, ...fields }: Readonly<Record<string, unknown>> = {}): EntryDraft {
  const content = text === '' ? [] : [{ type: 'text', text }]
  const message = { role: 'assistant', content, stopReason: 'stop', timestamp: 1, ...fields }
  return { type: 'message', ...(typeof id === 'string' && { id }), message }
}

/** The announcement of an answer. */
export function generation(nodeId: string, id = `g-${nodeId}`): EntryDraft {
  const data = { nodeId, model: 'test/m', contextVersion: 1 }
  return { type: 'custom', id, customType: 'treeline/generation', data }
}

export async function nodeOf(session: Session, id: string): Promise<ChatMessageNode> {
  return withBodies(
    session,
    () => [id],
    (tree, bodyOf) => toNode(tree, tree.ids.find(id), bodyOf(id)),
  )
}
