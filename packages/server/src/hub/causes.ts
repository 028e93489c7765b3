import type { DurableEvent } from '@treeline/protocol'

export type Cause = NonNullable<DurableEvent['cause']>

/** Lines that were never told of, because their write failed, must not pile up. */
const MAX_NOTED = 10_000

/** Who asked for what will be in the log, by the id of the entry or of the node it is about. Noted before it is written. */
export class Causes {
  private readonly byId = new Map<string, Cause>()

  note(ids: Iterable<string>, cause: Cause): void {
    for (const id of ids) this.byId.set(id, cause)
    for (const oldest of this.byId.keys()) {
      if (this.byId.size <= MAX_NOTED) return
      this.byId.delete(oldest)
    }
  }

  take(id: string): Cause | undefined {
    const cause = this.byId.get(id)
    this.byId.delete(id)
    return cause
  }
}
