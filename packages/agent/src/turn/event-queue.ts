/** Hands on what several places tell of, in the order it was told. Holds what nobody has taken yet. */
export class EventQueue<T> {
  private waiting: T[] = []
  private isOver = false
  private failure: { readonly error: unknown } | undefined
  private wake: () => void = () => {}

  push(event: T): void {
    this.waiting.push(event)
    this.wake()
  }

  end(): void {
    this.isOver = true
    this.wake()
  }

  fail(error: unknown): void {
    this.failure ??= { error }
    this.end()
  }

  /** What was told of until the end; then throws what it failed with. One reader. */
  async *drain(): AsyncGenerator<T> {
    for (;;) {
      const taken = this.waiting
      this.waiting = []
      yield* taken
      if (this.waiting.length > 0) continue
      if (this.isOver) break
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
    if (this.failure !== undefined) throw this.failure.error
  }
}
