import { TreelineError } from '@treeline/core'
import type { Session, SessionStore } from '@treeline/store'
import type { OtherTools } from '../services.ts'

/** A session of ours, or one of another tool where it is: that one can be read and forked, and takes no change. */
export async function openAny(id: string, store: SessionStore, otherTools: OtherTools): Promise<Session> {
  try {
    return await store.open(id)
  } catch (error) {
    const isMissing = error instanceof TreelineError && error.code === 'session_not_found'
    const session = isMissing ? await otherTools.open(id) : undefined
    if (session === undefined) throw error
    return session
  }
}
