import {
  attachedNodes,
  Flag,
  Kind,
  nodePath,
  preview,
  ROOT,
  Role,
  type Tree,
  textOf,
  withoutAttached,
} from '@treeline/core'
import type { Session } from '@treeline/store'
import { t } from '../../output/language.ts'

export type PromptScope = 'trunk' | 'all'

/** Something a person said, by its head alone: what it says is read when it comes into sight. */
export interface PromptRow {
  readonly nodeId: string
  /** `undefined` when the log does not tell. */
  readonly timeMs: number | undefined
  /** Whether it is on the branch one is at. */
  readonly isTrunk: boolean
}

const GRAPHEMES = 80

/** What can be said anew, newest first: of the trunk by its place, of all branches by when it was written. */
export function listPrompts(session: Session, scope: PromptScope): readonly PromptRow[] {
  const { tree, leafId } = session
  const refs: number[] = []
  const trunk = nodePath(tree, leafId === null ? ROOT : tree.ids.find(leafId))
  const onTrunk = new Set(trunk)
  for (const ref of scope === 'all' ? attachedNodes(tree) : trunk) if (isPrompt(tree, ref)) refs.push(ref)
  refs.reverse()
  if (scope === 'all') refs.sort((a, b) => tree.lineOf(b) - tree.lineOf(a))
  return refs.map((ref) => ({
    nodeId: tree.ids.textOf(ref),
    timeMs: timeOf(tree, ref),
    isTrunk: onTrunk.has(ref),
  }))
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
    entry === undefined ? t('(unreadable)') : preview(textOf(withoutAttached(entry)), GRAPHEMES) || t('(no words)'),
  )
}
