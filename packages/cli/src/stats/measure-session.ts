import { attachedNodes, type Branch, type Entry, listBranches, ROOT, type Tree } from '@treeline/core'
import { readAnswer, type Session } from '@treeline/store'
import { dayText } from '../listing/age.ts'
import { addTally, emptyTally, type Tally, TallyBy } from './tally.ts'

export interface SessionFigures {
  readonly totals: Tally
  readonly branches: readonly BranchFigures[]
  /** What is on no branch: in the stash, deleted, or beside the tree. It was paid for all the same. */
  readonly elsewhere: Tally
  readonly models: TallyBy<string | undefined>
  readonly days: TallyBy<string | undefined>
}

export interface BranchFigures {
  readonly branch: Branch
  /** Without what it shares with a branch before it; the trunk comes first. So these add up. */
  readonly own: Tally
  /** From the root to its leaf. */
  readonly path: Tally
}

/** Reads a whole session once. Each answer counts once, wherever its line stands. */
export async function measureSession(session: Session, signal?: AbortSignal): Promise<SessionFigures> {
  const { tree } = session
  const totals = emptyTally()
  const models = new TallyBy<string | undefined>()
  const days = new TallyBy<string | undefined>()
  const nodes = new TallyBy<number>()
  const seen = new Set<number>()
  let day = dayOf(session.header.timestamp)
  for await (const entry of session.entries()) {
    signal?.throwIfAborted()
    // Of a line without a time, that of the line before.
    day = dayOf(entry.timestamp) ?? day
    const counts = countsOf(entry)
    const answer = readAnswer(entry)
    const isNew = answer !== undefined && !seen.has(answer.key)
    if (isNew) seen.add(answer.key)
    const sum = { ...counts, ...(isNew && { answers: 1, ...answer.usage }) }
    addTally(totals, sum)
    if (isNew) models.add(answer.model, sum)
    if (isNew || counts.messages > 0) days.add(day, sum)
    nodes.add(nodeOf(tree, entry.id), sum)
  }
  const branches = measureBranches(tree, session.leafId, nodes.sums)
  return { totals, ...branches, models, days }
}

function countsOf({ type, message }: Entry): { readonly messages: number; readonly toolCalls: number } {
  if (type !== 'message') return { messages: 0, toolCalls: 0 }
  const { role, content } = (message ?? {}) as { readonly role?: unknown; readonly content?: unknown }
  const isCall = (block: unknown) => (block as { readonly type?: unknown } | null)?.type === 'toolCall'
  const toolCalls = role === 'assistant' && Array.isArray(content) ? content.filter(isCall).length : 0
  return { messages: 1, toolCalls }
}

/** The node an entry is or belongs to; `ROOT` when that is none. */
function nodeOf(tree: Tree, id: string): number {
  const ref = tree.ids.find(id)
  return ref > ROOT ? tree.columns.ownerOf(ref) : ROOT
}

function measureBranches(
  tree: Tree,
  leafId: string | null,
  sums: ReadonlyMap<number, Tally>,
): Pick<SessionFigures, 'branches' | 'elsewhere'> {
  const { parent } = tree.columns
  const paths = pathTallies(tree, sums)
  const counted = new Set<number>()
  const leaf = leafId === null ? ROOT : tree.ids.find(leafId)
  const inOrder = listBranches(tree, leaf).sort((a, b) => Number(b.isTrunk) - Number(a.isTrunk))
  const branches = inOrder.map((branch): BranchFigures => {
    const own = emptyTally()
    const end = tree.ids.find(branch.leafId)
    for (let ref = end; ref !== ROOT && !counted.has(ref); ref = parent[ref]!) {
      counted.add(ref)
      addTally(own, sums.get(ref) ?? {})
    }
    return { branch, own, path: paths.get(end)! }
  })
  const elsewhere = emptyTally()
  for (const [ref, sum] of sums) if (!counted.has(ref)) addTally(elsewhere, sum)
  return { branches, elsewhere }
}

/** From the root to each attached node. Parents come first, so nothing is added twice. */
function pathTallies(tree: Tree, sums: ReadonlyMap<number, Tally>): ReadonlyMap<number, Tally> {
  const { parent } = tree.columns
  const paths = new Map<number, Tally>()
  const none = emptyTally()
  for (const ref of attachedNodes(tree)) {
    const above = paths.get(parent[ref]!) ?? none
    const own = sums.get(ref)
    const path = own === undefined ? above : { ...above }
    if (own !== undefined) addTally(path, own)
    paths.set(ref, path)
  }
  return paths
}

function dayOf(timestamp: unknown): string | undefined {
  const timeMs = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN
  return Number.isNaN(timeMs) ? undefined : dayText(timeMs)
}
