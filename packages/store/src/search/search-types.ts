/**
 * What to look for. The query's words all have to be in a node's text, in any order, wherever they begin and whatever
 * their case and accents; `"several words"` have to be there as they stand, `-word` must not. Words of one or two
 * letters (not of a script without spaces) match the beginning of a word.
 */
export interface SearchOptions {
  readonly role?: SearchRole | undefined
  /** The name of a tool that was called or answered. */
  readonly tool?: string | undefined
  /** Only what failed, or only what did not. */
  readonly error?: boolean | undefined
  /** Part of a file path that a tool worked on. */
  readonly path?: string | undefined
  /** ISO 8601; inclusive, exclusive. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly cwd?: string | undefined
  readonly sessionId?: string | undefined
  readonly source?: string | undefined
  /** Only muted nodes, or only others. */
  readonly muted?: boolean | undefined
  /** Also nodes that were deleted and not purged. */
  readonly deleted?: boolean | undefined
  /** 50 by default, 500 at most. */
  readonly limit?: number | undefined
  /** `next` of the page before. */
  readonly after?: string | undefined
  /** Waits until the index knows every file as it is now. */
  readonly fresh?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

export type SearchRole =
  | 'user'
  | 'assistant'
  | 'toolResult'
  | 'bashExecution'
  | 'custom'
  | 'summary'
  | 'system'
  | 'other'

export interface SearchHit {
  readonly sessionId: string | undefined
  readonly sessionName: string | undefined
  readonly path: string
  readonly source: string
  readonly cwd: string | undefined
  readonly nodeId: string
  readonly role: SearchRole
  readonly tools: readonly string[]
  readonly isError: boolean
  readonly isMuted: boolean
  /** In the stash, or deleted. */
  readonly isPruned: boolean
  readonly isDeleted: boolean
  readonly time: string | undefined
  readonly snippet: Snippet
}

export interface Snippet {
  /** Some of the node's text around the first match, on one line; as stored otherwise: show it through `plainText`. */
  readonly text: string
  /** Where in it the matches are: `[from, to)` pairs. */
  readonly matches: readonly (readonly [number, number])[]
}

export interface SearchPage {
  /** Newest first. */
  readonly hits: readonly SearchHit[]
  readonly next: string | undefined
  /** Files known to have changed that were not searched. 0 is certain to mean all only with `fresh`. */
  readonly pending: number
}
