import type { SearchOptions, SearchPage } from '../search/search-types.ts'

/** What the index knows of a session. Derived from its log; a fresh build gives the same (I6). */
export interface IndexedSession {
  /** Absent when the header cannot be read; the session is listed all the same (I7). */
  readonly id: string | undefined
  readonly path: string
  /** Which source it came from: `treeline`, or the name of another tool. */
  readonly source: string
  readonly cwd: string | undefined
  readonly parentSession: string | undefined
  readonly name: string | undefined
  readonly firstPrompt: string | undefined
  readonly createdAt: string | undefined
  /** Time of the last event, not of the file (X72). */
  readonly lastActiveAt: string | undefined
  readonly entryCount: number
  /** Message records only (X13). */
  readonly messageCount: number
  readonly branchCount: number
  /** In the tree, without the stash. */
  readonly nodeCount: number
  /** `seq` of the session, as far as it was indexed. */
  readonly lastSeq: number
  readonly leafId: string | null
  /** `provider/model` of every model that answered, in order of first use. */
  readonly models: readonly string[]
  readonly usage: Usage
  /** Without what other sessions paid for: lines a fork copied count for the session that was there first. */
  readonly ownUsage: Usage
  readonly isPinned: boolean
  readonly isArchived: boolean
  /** T35: what is muted does not count, and there are no branches to choose. */
  readonly isLinear: boolean
  readonly tags: readonly string[]
  readonly sizeBytes: number
  /** Byte ranges that are no entries, and entries that cannot be read. */
  readonly damageCount: number
  /** Set when the file could not be read at all. */
  readonly problem: string | undefined
}

export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  /** In US dollars, as the tools recorded it. */
  readonly cost: number
}

/** Last active, created, largest: the first first. By name, or else first prompt: as in a dictionary. */
export type ListOrder = 'active' | 'created' | 'size' | 'name'

export interface ListOptions {
  /** Only sessions whose header names this project: folder names of two projects may collide. */
  readonly cwd?: string | undefined
  readonly source?: string | undefined
  /** When the session was last active. ISO 8601; inclusive, exclusive. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** Also sessions without a user prompt (S27), which are left out by default. */
  readonly empty?: boolean | undefined
  /** Also archived sessions. */
  readonly archived?: boolean | undefined
  /** Only sessions with this tag. */
  readonly tag?: string | undefined
  /** Only pinned sessions. */
  readonly pinned?: boolean | undefined
  /** Words that the name, the first prompt or the project has to contain. */
  readonly match?: string | undefined
  /** A word of `match` is also found where its letters stand in order with at most two others between: `prsr` in `parser`. */
  readonly fuzzy?: boolean | undefined
  /** `active` by default, the newest first; the only one that costs no look at every session of the list. */
  readonly order?: ListOrder | undefined
  /** The last first. */
  readonly reversed?: boolean | undefined
  /** 50 by default. */
  readonly limit?: number | undefined
  /** `next` of the page before. */
  readonly after?: string | undefined
  /** Waits until the index knows every file as it is now, instead of answering at once and catching up behind. */
  readonly fresh?: boolean | undefined
  /** Who calls has just waited for `refresh`: nobody looks at the files again. */
  readonly refreshed?: boolean | undefined
}

export interface SessionPage {
  /** Last active first, unless asked otherwise. */
  readonly sessions: readonly IndexedSession[]
  readonly next: string | undefined
  /**
   * Files known to be otherwise than the index has them: those on this page that were looked at and had changed or gone
   * (which are left out), and those a refresh under way has still to read. Ask `fresh` for certainty.
   */
  readonly pending: number
}

export interface UsageOptions extends Pick<ListOptions, 'cwd' | 'source' | 'fresh'> {
  /** When the answer was given. ISO 8601; inclusive, exclusive. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** Of how many sessions to tell, those that cost most first. 50 by default. */
  readonly limit?: number | undefined
}

/** What answers cost, each counted once however many forks hold it: for the session that was there first. */
export interface UsageReport {
  /** One for every source, model and day on which there was an answer. */
  readonly groups: readonly UsageGroup[]
  readonly sessions: readonly UsageOfSession[]
  /** Sessions that have answers of their own, also those not told of. */
  readonly sessionCount: number
}

export interface UsageGroup extends Used {
  readonly source: string
  /** `provider/model`; absent for summaries, which do not say. */
  readonly model: string | undefined
  /** `2026-01-31`, in this process's time zone. */
  readonly day: string | undefined
}

export interface UsageOfSession extends Used {
  readonly session: IndexedSession
}

export interface Used {
  readonly answers: number
  readonly usage: Usage
}

export interface RefreshOptions {
  /**
   * Enough is a look at the folders and at the sessions that are open or were active last, when all files were looked at
   * less than so long ago: what is new, and what a store wrote, is found all the same; only another tool may have gone on
   * unseen with a session left alone for long.
   */
  readonly withinMs?: number | undefined
  readonly onProgress?: ((progress: RefreshProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface RefreshProgress {
  readonly filesDone: number
  readonly filesTotal: number
  readonly bytesDone: number
  readonly bytesTotal: number
}

export interface RefreshReport {
  readonly indexed: number
  readonly removed: number
  /** Files that could not be read, by path; all others are in the index (I7). */
  readonly problems: readonly { readonly path: string; readonly problem: string }[]
}

/**
 * Finds sessions and what was said in them without opening logs. A cache: it may be deleted at any time, several
 * processes use it at once, and one of them at a time brings it up to date (I6).
 */
export interface SessionIndex extends AsyncDisposable {
  /** Resolves when everything that was in the files at the time of the call is in the index. */
  refresh(options?: RefreshOptions): Promise<RefreshReport>
  list(options?: ListOptions): Promise<SessionPage>
  /**
   * Runs `make`, which asks this index and gives a page, in whatever form: what `findPage` finds under this key for as long
   * as it would come out the same. Nothing is kept where it gives none, or somebody changes the index meanwhile.
   */
  keepPage(key: string, make: () => Promise<Uint8Array | undefined>): Promise<void>
  search(query: string, options?: SearchOptions): Promise<SearchPage>
  /** Sessions whose id begins or ends with these characters; a whole id names one alone. */
  find(partOfId: string): Promise<readonly IndexedSession[]>
  /** Of all sessions, each answer counted once however many forks hold it. */
  totals(): Promise<{ readonly sessions: number; readonly entries: number; readonly usage: Usage }>
  /** As `totals`, of some sessions or some time, and by what it was spent on. */
  usage(options?: UsageOptions): Promise<UsageReport>
  close(): Promise<void>
}
