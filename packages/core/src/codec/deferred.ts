/**
 * Work that is put off until someone looks at what it makes. Opening a large session must not touch memory that is not
 * asked for: a first touch costs more than filling it.
 */
export class Deferred {
  private work: (() => void) | undefined
  /** Told why the work could not be done, each time. */
  onFail: ((error: unknown) => void) | undefined

  constructor(work?: () => void) {
    this.work = work
  }

  get isPending(): boolean {
    return this.work !== undefined
  }

  run(): void {
    const { work } = this
    if (work === undefined) return
    this.work = undefined
    try {
      work()
    } catch (error) {
      // What could not be made is not there: whoever looks next is told the same.
      this.work = work
      this.onFail?.(error)
      throw error
    }
  }
}
