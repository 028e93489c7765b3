import { isSafeId, type TreelineError } from '@treeline/core'
import type { Session, SessionStore } from '@treeline/store'
import type { Translation } from './format.ts'

export interface CreateFromOptions {
  /** By default the tool's own, where that can be one. */
  readonly id?: string | undefined
  /** By default where the conversation took place. */
  readonly cwd?: string | undefined
  readonly title?: string | undefined
  readonly parentSession?: string | undefined
  readonly onLeftOut?: ((problem: TreelineError) => void) | undefined
}

/** A session out of a translated file: every branch, what is muted, rated and set, and the leaf where the tool has it. */
export function createFrom(
  store: SessionStore,
  translation: Translation,
  { id, cwd, title, parentSession, onLeftOut }: CreateFromOptions = {},
): Promise<Session> {
  const { sessionId, createdAt, entries, leafId, operations } = translation
  const isAtLeaf = leafId === (entries.at(-1)?.id ?? null)
  return store.create({
    id: id ?? (isSafeId(sessionId) ? sessionId : undefined),
    cwd: cwd ?? translation.cwd ?? '',
    title: title ?? translation.title,
    parentSession,
    createdAt,
    entries,
    operations: isAtLeaf ? operations : [...operations, { op: 'leaf', leafId }],
    onLeftOut,
  })
}
