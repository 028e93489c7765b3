/** How indexing and searching make way for others, and learn that they shall stop. */
export class Pace {
  private readonly sliceMs: number
  private sliceEnd: number
  private timers = new Set<NodeJS.Timeout>()
  private isHeld = true
  private readonly rests: boolean
  readonly signal: AbortSignal

  /** `rests: false` for what somebody waits for: others have their turn, but no time passes when there are none. */
  constructor(signal: AbortSignal, { sliceMs = 8, rests = true } = {}) {
    this.signal = signal
    this.sliceMs = sliceMs
    this.rests = rests
    this.sliceEnd = performance.now() + sliceMs
  }

  /** Between two steps of work: lets others have their turn once this one has lasted. Throws when it is to stop. */
  async step(): Promise<void> {
    this.signal.throwIfAborted()
    if (performance.now() < this.sliceEnd) return
    if (this.rests) return this.pause(0)
    await new Promise<void>((resolve) => setImmediate(resolve))
    this.signal.throwIfAborted()
    this.sliceEnd = performance.now() + this.sliceMs
  }

  /** Throws when it is to stop. */
  async pause(ms: number): Promise<void> {
    this.signal.throwIfAborted()
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, ms)
      if (!this.isHeld) timer.unref()
      this.timers.add(timer)
      const { signal, timers } = this
      signal.addEventListener('abort', done)
      function done(): void {
        clearTimeout(timer)
        timers.delete(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
    })
    this.signal.throwIfAborted()
    this.sliceEnd = performance.now() + this.sliceMs
  }

  /** Whether a process that has nothing else to do waits for this. */
  hold(isHeld: boolean): void {
    this.isHeld = isHeld
    for (const timer of this.timers) {
      if (isHeld) timer.ref()
      else timer.unref()
    }
  }
}
