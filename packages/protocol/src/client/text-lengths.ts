import type { ChatEvent, EphemeralEvent } from '../event.ts'

/** How much of each answer on its way has come, so that a gap is noticed. Lengths in UTF-16 units. */
export class TextLengths {
  private readonly lengths = new Map<string, number>()
  /** Nodes whose text was asked for anew. */
  private readonly asked = new Set<string>()

  /**
   * Whether a piece goes on from what came before; `gap` when something is missing in between. After that nothing of the
   * node fits until all of it has come anew: `missing`.
   */
  take(event: EphemeralEvent): 'fits' | 'gap' | 'missing' {
    if (event.type === 'node.content.snapshot') {
      this.asked.delete(event.id)
      this.lengths.set(event.id, event.content.length)
      return 'fits'
    }
    const { id, contentChunk, offset, partType } = event.patch
    // What it thinks is counted apart from what it says, and comes from its beginning when it is asked for.
    const key = partType === undefined ? id : `${id} ${partType}`
    const length = this.lengths.get(key) ?? 0
    if (offset > length) {
      if (this.asked.has(id)) return 'missing'
      this.asked.add(id)
      return 'gap'
    }
    this.lengths.set(key, Math.max(length, offset + contentChunk.length))
    return 'fits'
  }

  /** How much of what a node says has come. */
  lengthOf(nodeId: string): number {
    return this.lengths.get(nodeId) ?? 0
  }

  /** What has ended says it all by itself. */
  forget(events: readonly ChatEvent[]): void {
    for (const event of events) {
      if (event.type !== 'node.completed' && event.type !== 'node.failed') continue
      const { id } = event.node
      this.asked.delete(id)
      for (const key of [id, `${id} thinking`]) this.lengths.delete(key)
    }
  }
}
