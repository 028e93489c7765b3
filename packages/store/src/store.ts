import type { EditRequestOp, Entry, TreelineError } from '@treeline/core'
import type { BlobRef } from './blobs/blob-ref.ts'
import type { Durability } from './log/session-log.ts'
import type { ForkOptions } from './session/fork.ts'
import type { Session } from './session/session.ts'
import type { SessionSummary } from './session/summary.ts'

export interface CreateOptions {
  /** The project the conversation is about; the current folder by default. */
  readonly cwd?: string | undefined
  /** UUIDv7 by default. */
  readonly id?: string | undefined
  readonly title?: string | undefined
  /** Opaque lineage (S5). */
  readonly parentSession?: string | undefined
  /** When the conversation began, ISO 8601; now by default. */
  readonly createdAt?: string | undefined
  /**
   * What it starts with, in the order of the log, with the ids and parents it is to have: an import. There is the whole of
   * it or no session at all.
   */
  readonly entries?: Iterable<Entry> | AsyncIterable<Entry> | undefined
  /** Carried out on those entries, in one edit that nobody undoes. One that cannot be is told to `onLeftOut`. */
  readonly operations?: readonly EditRequestOp[] | undefined
  readonly onLeftOut?: ((problem: TreelineError) => void) | undefined
}

export interface OpenOptions {
  readonly readOnly?: boolean | undefined
  /** Append to a session outside `<home>` where it is. Its durability then depends on the tool it belongs to. */
  readonly inPlace?: boolean | undefined
  /** Continue a damaged session; the damaged bytes stay where they are. */
  readonly acceptDamage?: boolean | undefined
}

export interface OpenPathOptions extends OpenOptions {
  /**
   * Where the blobs that another tool's log names may be, as `<folder>/<sha256>`. They are looked for in the home first,
   * and in these never written.
   */
  readonly blobFolders?: readonly string[] | undefined
  /**
   * Where nothing is, or an empty file, a session begins (S18). It is durable when the call resolves, and of several who
   * do this at once each gets the same session. What holds anything is opened as ever, and with `readOnly` nothing is
   * made. Refuses a folder that is missing, and one outside `<home>` without `inPlace`.
   */
  readonly create?: boolean | Omit<CreateOptions, 'id' | 'entries' | 'operations' | 'onLeftOut'> | undefined
}

export interface StoreOptions {
  /** `synced` by default (D1). `written` survives the process but not a power cut, and is faster (D2). */
  readonly durability?: Durability | undefined
  /** Holds writes back to gather more of them, as P14: until `maxEntries` (10) wait or `intervalMs` (1000) have passed. */
  readonly buffer?: { readonly maxEntries?: number; readonly intervalMs?: number } | undefined
}

export interface ContinueOptions {
  /** The project; the current folder by default. */
  readonly cwd?: string | undefined
  /** Asked first: the id or the absolute path of a session, e.g. the one this terminal worked on last (`preferredBy`). */
  readonly preferred?: ((cwd: string) => Promise<string | undefined>) | undefined
}

/**
 * Where sessions live. Backends differ in where the bytes are and agree on everything said here; the suite in
 * `@treeline/store/contract` holds them to it.
 *
 * Consistency, for all of it: entries of one session have one order that everybody sees; what was acknowledged is in it
 * for good; sessions are independent of each other.
 */
export interface SessionStore extends AsyncDisposable {
  /** Makes a session. When this resolves it is durable and can be opened by others. Refuses an id that exists (X17). */
  create(options?: CreateOptions): Promise<Session>
  /**
   * Opens by the id that `list` gives and sees everything acknowledged before. Never changes the log (I4). The log that
   * bears the id in its name goes before copies of it; of several equals none is chosen: `id_in_use` names their paths.
   * Throws `session_not_found`.
   */
  open(id: string, options?: OpenOptions): Promise<Session>
  /** Opens a log anywhere. One outside `<home>` is read-only: fork it to continue. */
  openPath(path: string, options?: OpenPathOptions): Promise<Session>
  /**
   * A new session out of a path, a subtree or the whole of another, as of the moment of the call; durable when it resolves.
   * The other may be open in another store: the blobs it names come along.
   */
  fork(source: Session, options?: ForkOptions): Promise<Session>
  /** As `fork`, of a log anywhere, as of what is durable there. */
  forkFrom(path: string, options?: ForkOptions & Pick<OpenPathOptions, 'blobFolders'>): Promise<Session>
  /**
   * The preferred session when it exists, else the one of this project that was active last by the time of its last
   * event, with or without a prompt in it, else a new one. Looks at one session after the other, as `list` does: of two
   * that call it at once in a new project, each may make a session.
   */
  continueRecent(options?: ContinueOptions): Promise<Session>
  /**
   * What there is, or what there is of one project, newest activity first. Each session as of the moment it was looked
   * at; one bad file or folder hides no other and is listed with its `problem` (I7).
   */
  list(options?: { readonly cwd?: string }): Promise<readonly SessionSummary[]>
  /** Whether there is a session of this id. */
  exists(id: string): Promise<boolean>
  /** Keeps bytes by their hash; durable when it resolves. The same bytes are kept once. */
  putBlob(bytes: Uint8Array): Promise<BlobRef>
  /** The bytes behind a reference, verified; `undefined` when there are none. */
  readBlob(ref: BlobRef): Promise<Uint8Array | undefined>
  /** Closes all open sessions, writing what waits. */
  close(): Promise<void>
}
