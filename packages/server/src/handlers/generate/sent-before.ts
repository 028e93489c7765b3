import { isDeepStrictEqual } from 'node:util'
import { type EntryDraft, ROOT, TreelineError } from '@treeline/core'
import type { LiveSession } from '../../hub/live-session.ts'
import { isObject } from '../../wire/json.ts'
import { generationIdOf } from '../../wire/node-metadata.ts'
import { findLiving } from '../tree/find-node.ts'
import type { Wanted } from './read-specs.ts'

export type Draft = EntryDraft & { readonly id: string; readonly message: Readonly<Record<string, unknown>> }

/**
 * Whether a message is in the log already under its client’s id (D3). Throws `id_in_use` when something else is: said
 * elsewhere or otherwise.
 */
export async function isSentBefore({ session }: LiveSession, draft: Draft, parentId: string | null): Promise<boolean> {
  const { ids, columns } = session.tree
  const ref = ids.find(draft.id)
  if (ref <= ROOT || columns.rowOf[ref] === undefined) return false
  const stored = await session.readFull(draft.id)
  const owner = columns.ownerOf(columns.rawParent[ref]!)
  const isThere = (owner > ROOT ? ids.textOf(owner) : null) === parentId
  const isSame = stored !== undefined && isThere && isDeepStrictEqual(wordsOf(stored.entry), wordsOf(draft))
  if (isSame) return true
  const message = `The id ${draft.id} is taken by another entry of this session. Choose another.`
  throw new TreelineError('id_in_use', message, { nodeIds: [draft.id] })
}

/** All but when it was said. */
function wordsOf(entry: EntryDraft): unknown {
  const { role, content } = isObject(entry.message) ? entry.message : {}
  return JSON.parse(JSON.stringify([entry.type, role, content, entry.ext ?? null, entry.editedFrom ?? null]))
}

/** Of the answers wanted, those that are there, and what is still to be begun. */
export interface Answers {
  readonly existing: readonly string[]
  readonly missing: readonly Wanted[]
}

/** By their ids, and where the client chose none by their number: a retry gets what its first attempt began. */
export function findAnswers(
  { session: { tree } }: LiveSession,
  parentId: string | null,
  wanted: readonly Wanted[],
): Answers {
  const { columns, ids } = tree
  const parent = parentId === null ? ROOT : ids.find(parentId)
  const known = wanted.filter(
    ({ nodeId, isOwn }) => isOwn && ids.find(nodeId) > ROOT && isAnswerTo(tree, nodeId, parent),
  )
  const named = new Set(known.map(({ nodeId }) => nodeId))
  const others = columns
    .children(parent)
    .map((ref) => ids.textOf(ref))
    .filter((id) => !named.has(id) && generationIdOf(tree, ids.find(id)) !== undefined)
  const open = wanted.filter(({ nodeId }) => !named.has(nodeId))
  const taken = open.filter(({ isOwn }) => !isOwn).slice(0, others.length)
  return {
    existing: [...named, ...others.slice(0, taken.length)],
    missing: open.filter((one) => !taken.includes(one)),
  }
}

/** Throws `id_in_use` for an id that is taken by anything else. */
export function isAnswerTo(tree: LiveSession['session']['tree'], nodeId: string, parent: number): boolean {
  const ref = findLiving(tree, nodeId)
  if (ref !== undefined && generationIdOf(tree, ref) !== undefined && tree.columns.parent[ref] === parent) return true
  const message = `The id ${nodeId} is taken by another entry of this session. Choose another.`
  throw new TreelineError('id_in_use', message, { nodeIds: [nodeId] })
}
