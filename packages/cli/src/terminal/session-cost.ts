import { Kind, Role, type Tree } from '@treeline/core'
import { readAnswer, type Session } from '@treeline/store'

/** Of a session that is opened so many answers are read, the last ones: how long that takes must not depend on its length. */
const MAX_READ = 200

const COSTLY: ReadonlySet<number> = new Set([Kind.compaction, Kind.branch_summary, Kind.custom_message, Kind.usage])

export interface Cost {
  readonly cost: number
  /** There were more answers than were read. */
  readonly isCostPartial: boolean
}

/** What a session has cost, with earlier runs and all its branches. Each answer is read once. Class: it remembers how far. */
export class SessionCost {
  readonly session: Session
  private readonly seen = new Set<number>()
  private tree: Tree | undefined
  private nextRow = 0
  private known: Cost = { cost: 0, isCostPartial: false }

  constructor(session: Session) {
    this.session = session
  }

  async read(): Promise<Cost> {
    const { tree } = this.session
    // A log that was rewritten has another.
    if (tree !== this.tree) {
      this.tree = tree
      this.nextRow = 0
      this.seen.clear()
      this.known = { cost: 0, isCostPartial: false }
    }
    const { ids, isCut } = findCostly(tree, this.nextRow)
    this.nextRow = tree.rowCount
    let added = 0
    for (const entry of await this.session.readEntries(ids)) {
      const answer = entry === undefined ? undefined : readAnswer(entry)
      if (answer === undefined || this.seen.has(answer.key)) continue
      this.seen.add(answer.key)
      added += answer.usage.cost
    }
    // Added only now: another read may have ended meanwhile.
    this.known = { cost: this.known.cost + added, isCostPartial: this.known.isCostPartial || isCut }
    return this.known
  }
}

/** The last lines that may tell of a cost, by their heads. */
function findCostly(tree: Tree, from: number): { readonly ids: readonly string[]; readonly isCut: boolean } {
  const { columns, ids: texts } = tree
  const ids: string[] = []
  for (let row = tree.rowCount - 1; row >= from; row--) {
    const ref = tree.refAtRow(row)
    // Of lines with one id the last counts.
    if (columns.rowOf[ref] !== row) continue
    const isAnswer = columns.kind[ref] === Kind.message && columns.role[ref] === Role.assistant
    if (!isAnswer && !COSTLY.has(columns.kind[ref]!)) continue
    if (ids.length === MAX_READ) return { ids, isCut: true }
    ids.push(texts.textOf(ref))
  }
  return { ids, isCut: false }
}
