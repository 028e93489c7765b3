import type { EditRequestOp, TreelineError } from '@treeline/core'

/** What a fork or an import could not take over. What hung under an entry left out hangs under the nearest one that is there. */
export class LeftOut {
  private readonly parents = new Map<string, string | null>()
  private readonly rows = new Set<number>()
  private readonly tell: (problem: TreelineError) => void

  constructor(tell: (problem: TreelineError) => void = () => {}) {
    this.tell = tell
  }

  /** An entry whose bytes, at this row, are none. It is told once however often it was wanted. */
  addEntry(id: string, parentId: string | null, row: number, problem: TreelineError): void {
    this.parents.set(id, this.above(parentId))
    if (this.rows.has(row)) return
    this.rows.add(row)
    this.tell(problem)
  }

  /** What is no entry: an edit, a blob. */
  add(problem: TreelineError): void {
    this.tell(problem)
  }

  get hasEntries(): boolean {
    return this.parents.size > 0
  }

  has(id: string | null): boolean {
    return id !== null && this.parents.has(id)
  }

  /** The entry itself, or the nearest above it that is not left out. */
  above(id: string | null): string | null {
    let at = id
    while (at !== null && this.parents.has(at)) at = this.parents.get(at)!
    return at
  }

  /** Without what is about entries that are not there. */
  withoutThem(operations: readonly EditRequestOp[]): readonly EditRequestOp[] {
    if (!this.hasEntries) return operations
    return operations.flatMap((op): EditRequestOp[] => {
      if ('nodeId' in op) return this.has(op.nodeId) ? [] : [op]
      if (op.op === 'leaf') return [{ ...op, leafId: this.above(op.leafId) }]
      if (op.op !== 'mute') return [op]
      const nodeIds = op.nodeIds.filter((id) => !this.has(id))
      return nodeIds.length === 0 ? [] : [{ ...op, nodeIds }]
    })
  }
}
