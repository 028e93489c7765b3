/**
 * Which logs are open for writing in any living process, so that those who keep house leave them alone. A killed process
 * counts as gone. A help, not a lock: appending and removing keep each other right by the session's lock alone.
 */
export interface Presence {
  /**
   * Says that a log is open here until the returned function is called. Never throws: a full or read-only disk keeps
   * nobody from opening a session; `problem` then says why others do not see it.
   */
  enter(path: string): () => void
  /** As of now. Throws when it cannot be known; whoever asks then leaves every log alone. */
  openLogs(): OpenLogs
  readonly problem: string | undefined
  /**
   * Stands for this process, until it dies or this is closed; `undefined` when others could not be told, and afterwards.
   */
  readonly token: string | undefined
  /** Whether the process that a token stands for lives. False for what is no token. Throws when it cannot be known. */
  isAlive(token: string): boolean
  /** Everything that was entered here counts as closed. */
  close(): void
}

export interface OpenLogs {
  has(path: string): boolean
}
