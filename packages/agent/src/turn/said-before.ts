import { isDeepStrictEqual } from 'node:util'
import type { Session } from '@treeline/store'
import type { Prompt } from './prompt.ts'

/**
 * Whether a prompt is in the log already under a client's id (D3): what is sent once more after a lost acknowledgement is
 * said once, and answered once. `undefined` also when the id is taken by something else, which the append then refuses.
 */
export async function findSaid(
  session: Session,
  promptId: string | undefined,
  prompt: Prompt,
): Promise<'said' | 'answered' | undefined> {
  const stored = promptId === undefined ? undefined : await session.readFull(promptId)
  if (stored === undefined) return undefined
  const { role, content } = (stored.entry.message ?? {}) as { readonly role?: unknown; readonly content?: unknown }
  if (role !== 'user' || !isDeepStrictEqual(content, prompt)) return undefined
  const { columns, ids } = session.tree
  return columns.children(ids.find(promptId!)).length > 0 ? 'answered' : 'said'
}
