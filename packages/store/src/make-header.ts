import { isSafeId, LOG_VERSION, type SessionHeader, TreelineError } from '@treeline/core'
import { newSessionId } from './session/session-id.ts'
import type { CreateOptions } from './store.ts'

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/** Of a new session. Whether there is one with a chosen id is for the caller to see. */
export function makeHeader({
  id = newSessionId(),
  cwd = process.cwd(),
  title,
  parentSession,
  createdAt,
}: CreateOptions): SessionHeader {
  if (!isSafeId(id)) {
    throw new TreelineError('validation_failed', `"${id}" cannot be an id: use letters, digits, ".", "_", "-".`)
  }
  if (createdAt !== undefined && !isIsoTime(createdAt)) {
    const message = `${JSON.stringify(createdAt)} cannot be when a session began. Use ISO 8601, as in "2026-01-31T12:00:00.000Z".`
    throw new TreelineError('validation_failed', message)
  }
  return {
    type: 'session',
    version: LOG_VERSION,
    id,
    timestamp: createdAt ?? new Date().toISOString(),
    cwd,
    ...(title !== undefined && { title }),
    ...(parentSession !== undefined && { parentSession }),
  }
}

/** The name of a file is made of it. */
function isIsoTime(text: string): boolean {
  return ISO_TIME.test(text) && !Number.isNaN(Date.parse(text))
}
