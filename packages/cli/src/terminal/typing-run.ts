/** Who has stopped for so long has looked at what appeared meanwhile. */
const PAUSE_MS = 500

/**
 * Tells the keys that are pressed because of a question from those that were on their way when it appeared: whoever types,
 * or holds down the key that answered the one before, has not read it. Class: it remembers the key before.
 */
export class TypingRun {
  /** Whether the latest key is meant for the question. */
  isMeant = false
  private lastMs = Number.NEGATIVE_INFINITY
  private read: object | undefined

  /** To be told of every key, wherever it goes, with what is asked at that time. */
  note(question: object | undefined, isEnter: boolean, nowMs: number): void {
    if (nowMs - this.lastMs >= PAUSE_MS) this.read = question
    this.isMeant = question !== undefined && this.read === question
    // With Enter something is said; what is pressed next is something else.
    this.lastMs = isEnter && question === undefined ? Number.NEGATIVE_INFINITY : nowMs
  }
}
