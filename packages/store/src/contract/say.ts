import type { EntryDraft } from '@treeline/core'
import type { Session } from '../session/session.ts'

export function user(text: string, id?: string): EntryDraft {
  return { type: 'message', ...(id && { id }), message: { role: 'user', content: text, timestamp: 1 } }
}

export function assistant(text: string, id?: string): EntryDraft {
  const content = [{ type: 'text', text }]
  return {
    type: 'message',
    ...(id && { id }),
    message: { role: 'assistant', content, stopReason: 'stop', timestamp: 1 },
  }
}

export function model(name: string, id?: string): EntryDraft {
  return { type: 'model_change', ...(id && { id }), provider: 'test', modelId: name, model: `test/${name}` }
}

export function custom(data: unknown, id?: string): EntryDraft {
  return { type: 'custom', ...(id && { id }), customType: 'contract', data }
}

/** The announcement of an answer. */
export function generation(nodeId: string, id = `g-${nodeId}`): EntryDraft {
  return { type: 'custom', id, customType: 'treeline/generation', data: { nodeId, model: 'test/m' } }
}

/** Appends a question and its answer, the ids given, and so on by turns. */
export async function converse(session: Session, ...ids: readonly string[]): Promise<void> {
  for (const [i, id] of ids.entries()) {
    await session.append(i % 2 === 0 ? user(`says ${id}`, id) : assistant(`says ${id}`, id))
  }
}
