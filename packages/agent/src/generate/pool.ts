/** How many answers are generated at once, of a session and in all. Those beyond wait in line. */
export interface GenerationPool {
  /**
   * Waits for a place and returns what gives it back. Throws `too_many_generations` when too many wait, and the
   * signal's reason when it is aborted first.
   */
  enter(sessionId: string, signal: AbortSignal): Promise<() => void>
  /**
   * Throws `too_many_generations` when `count` more, of this session if it is named, would find no room, not even to wait;
   * with `mayWait` false already when one of them would have to.
   */
  refuseFull(count: number, sessionId?: string, mayWait?: boolean): void
}
