import { Kind, Role, type Tree } from '@treeline/core'
import type { Session } from '@treeline/store'
import { costOf } from './entry-cost.ts'

const ENTRIES_PER_READ = 256

const COSTLY: ReadonlySet<number> = new Set([
  Kind.compaction,
  Kind.branch_summary,
  Kind.custom_message,
  Kind.usage,
  Kind.model_usage,
])

/** What a session has cost by its log, whoever wrote it. Each line is read once. */
export class SessionSpend {
  private readonly session: Session
  private tree: Tree | undefined
  private nextRow = 0
  private spent = 0
  /** Those who ask at once are answered one after the other, so that no line counts twice. Never rejects. */
  private reading: Promise<unknown> = Promise.resolve()

  constructor(session: Session) {
    this.session = session
  }

  total(): Promise<number> {
    const total = this.reading.then(() => this.catchUp())
    this.reading = total.catch(() => {})
    return total
  }

  private async catchUp(): Promise<number> {
    const { session } = this
    await session.refresh()
    const { tree } = session
    // A log that was rewritten has another.
    if (tree !== this.tree) {
      this.tree = tree
      this.nextRow = 0
      this.spent = 0
    }
    while (this.nextRow < tree.rowCount) {
      const { ids, end } = findCostly(tree, this.nextRow)
      for (const entry of await session.readEntries(ids)) if (entry !== undefined) this.spent += costOf(entry)
      this.nextRow = end
    }
    return this.spent
  }
}

/** The next lines that may tell of a cost, by their heads: bodies of others are not read. */
function findCostly(tree: Tree, from: number): { readonly ids: readonly string[]; readonly end: number } {
  const { columns, ids: texts } = tree
  const ids: string[] = []
  let row = from
  for (; row < tree.rowCount && ids.length < ENTRIES_PER_READ; row++) {
    const ref = tree.refAtRow(row)
    // Of lines with one id the last counts.
    if (columns.rowOf[ref] !== row) continue
    const kind = columns.kind[ref]!
    const isAnswer = kind === Kind.message && columns.role[ref] === Role.assistant
    if (isAnswer || COSTLY.has(kind)) ids.push(texts.textOf(ref))
  }
  return { ids, end: row }
}
