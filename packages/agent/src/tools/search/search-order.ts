/** What a search thread is asked to do. */
export interface SearchOrder {
  /** Paths are told relative to it. */
  readonly cwd: string
  /** Absolute: a folder, or for a search in text a file. */
  readonly start: string
  readonly glob?: string | undefined
  /** Looks for text in files; without it for files. */
  readonly pattern?: { readonly source: string; readonly flags: string } | undefined
  /** Are not there, for whoever searches: neither shown nor found. */
  readonly secrets?: readonly string[] | undefined
  readonly limit: number
}

/** One file, or one line of it. */
export interface Found {
  /** Below the start; empty for the start itself. */
  readonly names: readonly string[]
  readonly isFolder?: boolean
  readonly line?: number
  readonly text?: string
}

/** What it tells, as it goes: whoever stops it keeps what was told. */
export type FromSearch =
  /** It is about to begin: from here on the time counts. */
  | { readonly type: 'started' }
  | { readonly type: 'found'; readonly found: readonly Found[] }
  | { readonly type: 'done'; readonly isLimited: boolean; readonly unreadable: number }
  | { readonly type: 'failed'; readonly message: string }
