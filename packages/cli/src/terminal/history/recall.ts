/** The way through earlier prompts with ↑ and ↓. Class: each key goes on from where the one before ended. */
export class Recall {
  private at = -1
  private shown = ''
  /** What was being written before. */
  private draft = ''

  /**
   * What is to stand in the editor instead of `text`; `undefined` at either end. Who has changed what was recalled, or has
   * emptied the editor, begins anew, and the way back ends there.
   */
  step(direction: 'earlier' | 'later', past: readonly string[], text: string): string | undefined {
    if (this.at >= 0 && text !== this.shown) this.at = -1
    if (this.at < 0) this.draft = text
    const at = this.at + (direction === 'earlier' ? 1 : -1)
    if (at < -1 || at >= past.length) return undefined
    this.at = at
    return past[at] ?? this.draft
  }

  /** As the editor shows it. */
  shows(text: string): void {
    this.shown = text
  }

  /** Something was sent: there is another latest prompt. */
  end(): void {
    this.at = -1
  }
}
