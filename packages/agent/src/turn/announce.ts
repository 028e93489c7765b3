import { type ErrorCode, GENERATION_TYPE, newEntryId, ROOT } from '@treeline/core'
import type { AppendOptions, Session } from '@treeline/store'
import { forgetRunning, noteRunning } from './running.ts'
import { NO_USAGE } from './usage.ts'

export interface Announcement {
  /** What it answers. */
  readonly parentId: string | null
  /** Of an answer that is announced already, or an id of the caller's own. */
  readonly nodeId?: string | undefined
  readonly leaf: AppendOptions['leaf']
  readonly baseVersion?: number | undefined
  /** `provider/model`, also when that could not be opened. */
  readonly modelRef: string
}

/** Says in the log that an answer is being generated; the model is called only after this (D6). */
export async function announceAnswer(
  session: Session,
  { parentId, leaf, baseVersion, modelRef, nodeId }: Announcement,
): Promise<string> {
  const id = nodeId ?? newEntryId((taken) => session.tree.ids.find(taken) > ROOT)
  const { writer, seq } = session
  const data = { nodeId: id, parentId, model: modelRef, contextVersion: seq, ...(writer !== undefined && { writer }) }
  noteRunning(session.id, id)
  try {
    await session.append({ type: 'custom', customType: GENERATION_TYPE, data }, { parentId, leaf, baseVersion })
    return id
  } catch (error) {
    forgetRunning(session.id, id)
    throw error
  }
}

/**
 * Ends an answer that is announced and that no model will be asked for. Where that cannot be written, it is left to
 * whoever recovers the session.
 */
export async function withdrawAnswer(
  session: Session,
  { parentId, nodeId, modelRef }: Pick<Announcement, 'parentId' | 'modelRef'> & { readonly nodeId: string },
  { code, message, at }: { readonly code: ErrorCode; readonly message: string; readonly at: number },
): Promise<void> {
  const said = { stopReason: 'error', errorMessage: message, errorCode: code, askedModel: modelRef, timestamp: at }
  const draft = { type: 'message', id: nodeId, message: { role: 'assistant', content: [], usage: NO_USAGE, ...said } }
  try {
    await session.append(draft, { parentId, leaf: { ifAt: nodeId } })
  } catch {
    // The store has failed, and whoever asked is told of that by what brought us here.
  } finally {
    forgetRunning(session.id, nodeId)
  }
}
