/** One of those who leave something waiting. */
export interface Waiter {
  readonly backlogBytes: number
  /** It is let go of, and with it all that waits for it. */
  drop(): void
}

/**
 * What all connections of a server leave waiting, together: each is bounded for itself, and a thousand of them would still
 * fill the memory. When it is too much, whoever leaves most waiting goes first (W6).
 */
export class SharedBacklog {
  private readonly maxBytes: number
  private readonly waiters = new Set<Waiter>()
  private bytes = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  join(waiter: Waiter): void {
    this.waiters.add(waiter)
  }

  leave(waiter: Waiter): void {
    this.waiters.delete(waiter)
  }

  /** Something was queued, or is no longer. */
  change(bytes: number): void {
    this.bytes += bytes
    while (this.bytes > this.maxBytes && this.waiters.size > 0) this.dropSlowest()
  }

  private dropSlowest(): void {
    let slowest: Waiter | undefined
    for (const one of this.waiters) {
      if (slowest === undefined || one.backlogBytes > slowest.backlogBytes) slowest = one
    }
    // Gone before it is told: what it gives back comes through here again.
    this.waiters.delete(slowest!)
    slowest!.drop()
  }
}
