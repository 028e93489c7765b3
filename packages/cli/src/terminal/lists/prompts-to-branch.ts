import { attachedNodes, Flag, Kind, nodePath, preview, ROOT, Role, type Tree, textOf } from '@treeline/core'
import type { Session } from '@treeline/store'

export type PromptScope = 'trunk' | 'all'

/** Something a person said, by its head alone: what it says is read when it comes into sight. */
export interface PromptRow {
  readonly nodeId: string
  /** `undefined` when the log does not tell. */
  readonly timeMs: number | undefined
}

const GRAPHEMES = 80

/** What can be said anew, newest first: of the trunk by its place, of all branches by when it was written. */
export function listPrompts(session: Session, scope: PromptScope): readonly PromptRow[] {
  const { tree, leafId } = session
  const refs: number[] = []
  const nodes = scope === 'all' ? attachedNodes(tree) : nodePath(tree, leafId === null ? ROOT : tree.ids.find(leafId))
  for (const ref of nodes) if (isPrompt(tree, ref)) refs.push(ref)
  refs.reverse()
  if (scope === 'all') refs.sort((a, b) => tree.lineOf(b) - tree.lineOf(a))
  return refs.map((ref) => ({ nodeId: tree.ids.textOf(ref), timeMs: timeOf(tree, ref) }))
}

function isPrompt({ columns }: Tree, ref: number): boolean {
  return columns.kind[ref] === Kind.message && columns.role[ref] === Role.user && !columns.has(ref, Flag.generating)
}

function timeOf(tree: Tree, ref: number): number | undefined {
  const row = tree.bodyRow(ref)
  const timeMs = row < 0 ? Number.NaN : tree.heads.timeMs[row]!
  return Number.isNaN(timeMs) ? undefined : timeMs
}

/** One plain line of at most 80 graphemes for each id, in order. */
export async function readPreviews(session: Session, ids: readonly string[]): Promise<readonly string[]> {
  const entries = await session.readEntries(ids)
  return entries.map((entry) =>
    entry === undefined ? '(unreadable)' : preview(textOf(entry), GRAPHEMES) || '(no words)',
  )
}
