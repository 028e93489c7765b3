import type {
  Dialect,
  Entry,
  LogNote,
  SessionHeader,
  SkippedRange,
  Tree,
  TreelineError,
  TreeProblem,
} from '@treeline/core'

/** What one request adds, decided under the lock on the log as it then is; so what is written is what was checked. */
export type Plan<T> = (planning: Planning) => Planned<T>

/** A log while requests are planned one after the other, before all that they add is written. */
export interface Planning {
  /** With everything that requests before this one add: it takes that in when it is asked for. */
  readonly tree: Tree
  /**
   * The message that was added last, while the tree has not taken it in. Whoever goes on right under it needs no tree: a
   * message changes nothing but where the leaf is.
   */
  readonly lastMessageId: string | undefined
  isTaken(id: string): boolean
}

export interface Planned<T> {
  /** Written together, in this order; after a crash a prefix of them is there (D4). May be none. */
  readonly entries: readonly Entry[]
  /** Given when there is but one, of a head and a message only, and the JSON of that is known; `entries` are not looked at. */
  readonly message?: { readonly entry: Entry; readonly text: string } | undefined
  readonly result: T
  /** Called when the entries are known to fit into a log, before those asked for later are planned. */
  readonly accepted?: () => void
  /** Called when they are as durable as was asked for, before whoever asked is told. */
  readonly acknowledged?: () => void
  /** Called when they were accepted and then could not be stored, before anything else is planned. */
  readonly lost?: () => void
}

/** `synced`: an append resolves when it survives power loss (D1). `written`: when it survives the process only (D2). */
export type Durability = 'synced' | 'written'

export type Access =
  | { readonly mode: 'write' }
  /** `foreign`: another tool's file. `damaged`: bytes that cannot be read as entries. `newer`: a version we do not know. */
  | { readonly mode: 'read'; readonly reason: 'asked' | 'foreign' | 'damaged' | 'no_header' | 'newer' }

/** Everything found that is not as it should be. Nothing of it hides a good entry (I2, I3). */
export interface LogReport {
  readonly skipped: readonly SkippedRange[]
  readonly notes: readonly LogNote[]
  readonly problems: readonly TreeProblem[]
  /** Bodies that could not be read when somebody asked for them. */
  readonly unreadable: readonly TreelineError[]
  /** Findings beyond the first ten thousand of each list: counted, not listed. */
  readonly unlisted: number
  /** Where a last line that was cut short begins. */
  readonly tornAt: number | undefined
}

export type LogEvent =
  /** Lines that are durable now, by row of the tree's heads: `[from, to)`. */
  | { readonly type: 'lines'; readonly from: number; readonly to: number }
  /** The log was rewritten or reread, and is durable as it is now: row numbers start over, the tree is another object. */
  | { readonly type: 'reset'; readonly epoch: string }
  /** There is no such log any more. */
  | { readonly type: 'gone' }

/** A tree and the bodies that belong to its rows. */
export interface LogView {
  readonly tree: Tree
  /** Bodies by row, brought to version 3; `undefined` where the bytes are damaged, which `report` then says. */
  readEntries(rows: readonly number[]): Promise<(Entry | undefined)[]>
  /** The records' own bytes. */
  readRecords(rows: readonly number[]): Promise<Uint8Array[]>
  /** Fills `into` from a byte of the log on, blocking, and returns how many bytes there were. For who copies much of it. */
  readBytes(into: Uint8Array, offset: number): number
  /** Whether anything was noted about lines that were taken: see `LogReport.notes`. */
  readonly hasNotes: boolean
}

/** One session's log, open. What a backend has to offer; everything else a session does is built on it. */
export interface SessionLog {
  readonly path: string
  readonly header: SessionHeader
  readonly access: Access
  /** Whose log it is. */
  readonly dialect: Dialect
  /** As of the latest commit or refresh. Entries of a commit under way may be in it a moment before they are durable. */
  readonly tree: Tree
  /**
   * The same for all who open the same log, and while it only grows. Changes when the log is rewritten or reread, so that
   * a client knows its sequence numbers are void.
   */
  readonly epoch: string
  /** Plans under the lock, after catching up with other writers; resolves when as durable as was asked for. */
  commit<T>(plan: Plan<T>): Promise<T>
  /**
   * Says the name the session has now in the title slot that oh-my-pi shows it from, durably. Does nothing where there is
   * none.
   */
  rewriteSlot(): Promise<void>
  /** The log as it is now. What is read through one view is of one log, whatever happens to the file meanwhile. */
  view(): LogView
  /** Takes in what other writers appended, and makes it durable before anyone is told. */
  refresh(): Promise<void>
  /** Rows that are known to be durable; those from here on were not told of yet. */
  readonly durableRows: number
  /** Tells of every line once it is durable, in order, whoever wrote it. */
  listen(listener: (event: LogEvent) => void): () => void
  report(): LogReport
  /** Resolves when everything asked for so far is written. */
  flush(): Promise<void>
  close(): Promise<void>
}
