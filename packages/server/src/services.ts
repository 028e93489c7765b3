import type { Agent } from '@treeline/agent'
import type { FormatName } from '@treeline/formats'
import type { Limits, TrashedSession } from '@treeline/protocol'
import type { Session, SessionIndex, SessionStore } from '@treeline/store'
import type { Credentials } from './guard/credentials.ts'
import type { Approvals } from './hub/approvals.ts'
import type { Generations } from './hub/generations.ts'
import type { Hub } from './hub/hub.ts'
import type { Jobs } from './hub/jobs.ts'
import type { SessionList } from './hub/session-list.ts'
import type { Metrics } from './metrics.ts'

export interface TrashPage {
  readonly items: readonly TrashedSession[]
  readonly next: string | undefined
}

/** Removal, which is no part of the store's contract: dry run, trash, purge (R1). */
export interface House {
  /** Nobody here has it open by then. `by` is who asked, for the audit. */
  trash(sessionId: string, by: string): Promise<void>
  /** For good: out of its place, or out of the trash. */
  purge(sessionId: string, by: string): Promise<void>
  /** What is in the trash, latest first. */
  listTrash(page: { readonly limit: number; readonly after: string | undefined }): Promise<TrashPage>
  /** The latest of this id, or the one that is named. Throws `session_not_found` when it is not in the trash. */
  restore(sessionId: string, by: string, trashId?: string): Promise<void>
}

/** Sessions of other tools, and files that somebody sends: no part of the store's contract either. */
export interface OtherTools {
  /** Where it is, for reading only; `undefined` when no other tool has a session of this id. */
  open(sessionId: string): Promise<Session | undefined>
  /** Takes a file in, whoever wrote it. Nothing of it becomes a path (K3). */
  import(bytes: AsyncIterable<Uint8Array>, options: { readonly format?: FormatName }): Promise<TakenIn>
}

export interface TakenIn {
  readonly sessionId: string
  readonly added: number
  readonly skipped: number
  readonly warnings: readonly string[]
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
  readonly otherTools: OtherTools
  readonly credentials: Credentials
  readonly hub: Hub
  /** Who follows the list of sessions is told through it. */
  readonly list: SessionList
  readonly approvals: Approvals
  readonly generations: Generations
  readonly jobs: Jobs
  readonly limits: Limits
  readonly metrics: Metrics
  readonly log: (record: LogRecord) => void
  /** Aborted when the server begins to close. */
  readonly closing: AbortSignal
}
