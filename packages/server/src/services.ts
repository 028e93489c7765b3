import type { Agent } from '@treeline/agent'
import type { Limits } from '@treeline/protocol'
import type { SessionIndex, SessionStore } from '@treeline/store'
import type { Credentials } from './guard/credentials.ts'
import type { Approvals } from './hub/approvals.ts'
import type { Hub } from './hub/hub.ts'
import type { Metrics } from './metrics.ts'

/** Removal, which is no part of the store's contract: dry run, trash, purge (R1). */
export interface House {
  /** Nobody has it open by then. */
  trash(sessionId: string): Promise<void>
  /** For good: out of its place, or out of the trash. */
  purge(sessionId: string): Promise<void>
}

export interface LogRecord {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  /** Never what was said in a conversation. */
  readonly [field: string]: unknown
}

/** What handlers work with. */
export interface Services {
  readonly store: SessionStore
  readonly index: SessionIndex
  readonly agent: Agent
  readonly house: House
  readonly credentials: Credentials
  readonly hub: Hub
  readonly approvals: Approvals
  readonly limits: Limits
  readonly metrics: Metrics
  readonly log: (record: LogRecord) => void
  /** Aborted when the server begins to close. */
  readonly closing: AbortSignal
}
