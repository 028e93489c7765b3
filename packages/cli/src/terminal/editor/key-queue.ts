/**
 * Keys wait for what was begun before them, such as a paste that is being stored: it stands before what is typed behind it,
 * and Enter sends it, too. Class: keys come while it is on its way.
 */
export class KeyQueue {
  private waiting: (() => void)[] = []
  private coming: symbol | undefined

  /** At once, or in its turn. */
  run(task: () => void): void {
    if (this.coming === undefined) task()
    else this.waiting.push(task)
  }

  /** In its turn, and nothing before it has come. */
  await<T>(begin: () => Promise<T>, put: (value: T) => void, fail: (error: unknown) => void): void {
    this.run(() => {
      const coming = Symbol('coming')
      this.coming = coming
      const end = (task: () => void): void => {
        if (this.coming !== coming) return
        this.coming = undefined
        task()
        this.goOn()
      }
      begin().then(
        (value) => end(() => put(value)),
        (error: unknown) => end(() => fail(error)),
      )
    })
  }

  /** Nobody waits any longer: what comes now is not wanted. */
  drop(): void {
    this.coming = undefined
    this.waiting = []
  }

  private goOn(): void {
    while (this.coming === undefined) {
      const task = this.waiting.shift()
      if (task === undefined) return
      task()
    }
  }
}
