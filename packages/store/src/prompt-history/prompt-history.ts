import { TreelineError } from '@treeline/core'
import type { Home } from '../home.ts'
import { AddQueue } from './add-queue.ts'
import { findMatching, findRecent, type Wanted } from './find-prompts.ts'
import { HistoryDatabase } from './history-database.ts'
import { historyClosed, historyError } from './history-errors.ts'
import type { SearchMode } from './history-index.ts'
import { type PastPrompt, toStorable, toStoredCwd, toStoredPrompt } from './past-prompt.ts'
import { removeContaining, removePrompt } from './remove-prompts.ts'

export interface RecentOptions {
  /** Only of this working directory. */
  readonly cwd?: string | undefined
  /** 50 by default, 1,000 at most. */
  readonly limit?: number | undefined
  /** Only those older than the prompt with this id. */
  readonly before?: number | undefined
  /** Of those that say the same only the newest. */
  readonly distinct?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

export interface HistorySearchOptions extends RecentOptions {
  /** `substring` by default. `prefix`: the prompt begins with the text. */
  readonly mode?: SearchMode | undefined
}

export interface RemovedPrompts {
  readonly removed: number
  /** Damaged histories that were set aside. They cannot be searched and may hold the text too. */
  readonly unsearched: readonly string[]
}

/**
 * What the user sent, in `history.db` (S35), which any number of processes and the other tools share. It is a
 * convenience, the logs have everything: no trouble with it reaches a turn.
 */
export interface PromptHistory extends AsyncDisposable {
  /** What was set aside because it could not be read, and where it is. */
  readonly problem: string | undefined
  /** Why a write failed last. It is tried again. */
  readonly lastError: TreelineError | undefined
  readonly failureCount: number
  /** Added and not written yet. */
  readonly pendingCount: number
  /** Given up: too many waited, the database refused them, or they came after `close`. */
  readonly lostCount: number
  /**
   * Returns at once and never throws; written within 100 ms, or when the process exits. Blank prompts are left out, and those
   * that repeat the latest one of the same working directory.
   */
  add(prompt: string, cwd: string): void
  /** Resolves to whether everything added so far is in the database. */
  flush(): Promise<boolean>
  /** Newest first. */
  recent(options?: RecentOptions): Promise<readonly PastPrompt[]>
  /**
   * Newest first, whatever the case and the accents, blanks alike. Looks at the first 65,536 characters of a prompt; for one or
   * two letters anywhere in it, at the newest 100,000 prompts.
   */
  search(text: string, options?: HistorySearchOptions): Promise<readonly PastPrompt[]>
  /** Resolves to whether it was there. */
  remove(id: number): Promise<boolean>
  /** Removes every prompt that contains the text, exactly as given, and leaves no byte of them in the database's files. */
  removeContaining(text: string): Promise<RemovedPrompts>
  /** Writes what waits. Never throws; what could not be written is in `lostCount`. */
  close(): Promise<void>
}

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 1_000

export function openPromptHistory({ home }: { readonly home: Home }): PromptHistory {
  const path = home.paths.historyFile
  const database = new HistoryDatabase(home)
  const queue = new AddQueue(database, path)

  /** What was just added can be found, unless it cannot be written. */
  async function ask<T>(question: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (database.isClosed) throw historyClosed()
    await queue.flush()
    try {
      return await question()
    } catch (error) {
      throw signal?.aborted ? error : historyError(error, path)
    }
  }

  async function close(): Promise<void> {
    if (database.isClosed) return
    await queue.close()
    database.close()
  }

  return {
    get problem() {
      return database.problem
    },
    get lastError() {
      return queue.lastError
    },
    get failureCount() {
      return queue.failureCount
    },
    get pendingCount() {
      return queue.pendingCount
    },
    get lostCount() {
      return queue.lostCount
    },
    add(prompt, cwd) {
      const stored = toStoredPrompt(prompt)
      if (stored === '') return
      queue.add({ prompt: stored, cwd: toStoredCwd(cwd), createdAt: Math.floor(Date.now() / 1_000) })
    },
    flush: () => queue.flush(),
    recent: (options = {}) => ask(() => findRecent(database, toWanted(options)), options.signal),
    search: (text, options = {}) => {
      const { mode = 'substring' } = options
      return ask(() => {
        queue.catchUp()
        return findMatching(database, text, mode, toWanted(options))
      }, options.signal)
    },
    remove: (id) => ask(() => removePrompt(database, id)),
    removeContaining: (text) =>
      ask(async () => {
        if (text === '') throw new TreelineError('validation_failed', 'Say which text to remove; it must not be empty.')
        const removed = await removeContaining(database, toStorable(text))
        return { removed, unsearched: home.storage.listFilesSync(home.paths.home, 'history.db.damaged-*') }
      }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function toWanted({ cwd, limit, before, distinct = false, signal }: RecentOptions): Wanted {
  return {
    cwd: cwd === undefined ? undefined : toStoredCwd(cwd),
    limit: limit === undefined ? DEFAULT_LIMIT : Math.min(Math.max(Math.floor(limit) || 0, 0), MAX_LIMIT),
    before: Math.min(Math.floor(before ?? Number.MAX_SAFE_INTEGER) || 0, Number.MAX_SAFE_INTEGER),
    isDistinct: distinct,
    signal,
  }
}
