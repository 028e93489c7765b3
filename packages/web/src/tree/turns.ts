/**
 * One thing after the other: what is asked for while something else waits for the server's answer has its turn after that,
 * and means what it would have meant if one had waited.
 */
export class Turns {
  private readonly waiting: (() => unknown)[] = []
  private isTaken = false

  get isBusy(): boolean {
    return this.isTaken
  }

  /** Done at once if nothing is under way. What gives a promise is under way until that is settled; it tells of its failure itself. */
  take(act: () => unknown): void {
    if (this.isTaken) this.waiting.push(act)
    else this.run(act)
  }

  /** Those that wait never have their turn. */
  forget(): void {
    this.waiting.length = 0
  }

  private run(act: () => unknown): void {
    const done = act()
    if (!(done instanceof Promise)) return
    this.isTaken = true
    void done.finally(() => {
      this.isTaken = false
      while (!this.isTaken && this.waiting.length > 0) this.run(this.waiting.shift()!)
    })
  }
}
