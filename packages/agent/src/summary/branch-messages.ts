import { type AgentMessage, type Entry, Flag, Kind, ROOT, runUp, type Tree } from '@treeline/core'
import type { Session } from '@treeline/store'

/** One node of a branch as a model may be told of it. */
export interface BranchMessage {
  readonly nodeId: string
  readonly message: AgentMessage
  /** A compaction or a branch summary: it stands for others. */
  readonly isSummary: boolean
  /** Of a summary that Treeline or Pi made, not a hook: what it says of files. */
  readonly details: unknown
}

type Fields = Readonly<Record<string, unknown>>

/** How many bodies are read at a time. */
const BATCH = 64

/** A stretch of a path, by refs of the tree it was found in: a log that is read anew gets another tree. */
export interface Stretch {
  readonly tree: Tree
  /** Newest first. */
  readonly nodes: readonly number[]
  /** Where it ends: the first of them, or an entry below it. */
  readonly leaf: number
}

/**
 * What was said on a branch, newest first, read as one goes along.
 * Left out is what the line leaves out by the user's will or for good: muted nodes, withdrawn messages, `!!` commands,
 * answers that failed or are still being generated; and system messages, which are not of the branch.
 */
export async function* readBranch(session: Session, { tree, nodes, leaf }: Stretch): AsyncGenerator<BranchMessage> {
  const edits = new Map<string, Fields>()
  const readEdits = async (ids: readonly string[]) => {
    for (const edit of ids.length === 0 ? [] : await session.readEntries(ids)) {
      // The newest counts, and comes first.
      if (typeof edit?.targetId === 'string' && !edits.has(edit.targetId)) edits.set(edit.targetId, edit)
    }
  }
  await readEdits(editsUp(tree, leaf))
  for (let start = 0; start < nodes.length; start += BATCH) {
    const batch = nodes.slice(start, start + BATCH)
    // An edit of a message stands somewhere below it, so that it is known before its message comes.
    await readEdits(batch.flatMap((ref) => editsUp(tree, tree.columns.rawParent[bodyOf(tree, ref)]!)))
    const shown = batch.filter((ref) => !tree.columns.has(ref, Flag.muted | Flag.generating))
    const entries = await session.readEntries(shown.map((ref) => tree.ids.textOf(ref)))
    for (const [i, entry] of entries.entries()) {
      if (entry === undefined) continue
      const edit = edits.get(entry.id) ?? edits.get(tree.ids.textOf(bodyOf(tree, shown[i]!)))
      const message = withEdit(messageOf(entry), edit)
      if (message === undefined || !isTold(message)) continue
      const isSummary = entry.type === 'compaction' || entry.type === 'branch_summary'
      const isOurs = entry.fromHook !== true && entry.fromExtension !== true
      yield { nodeId: entry.id, message, isSummary, details: isSummary && isOurs ? entry.details : undefined }
    }
  }
}

/** The `context_edit` entries from an entry up to the next node, the lowest first. */
function editsUp(tree: Tree, from: number): string[] {
  const ids: string[] = []
  for (const ref of runUp(tree, from)) {
    if (tree.columns.kind[ref] === Kind.context_edit) ids.push(tree.ids.textOf(ref))
  }
  return ids
}

/** A copy has its original's body. */
function bodyOf(tree: Tree, ref: number): number {
  return tree.edits.copies.get(ref)?.body ?? ref
}

function messageOf(entry: Entry): Fields | undefined {
  switch (entry.type) {
    case 'message':
      return isObject(entry.message) ? entry.message : undefined
    case 'custom_message':
      return { role: 'custom', customType: entry.customType, content: entry.content, display: entry.display }
    case 'branch_summary':
      return { role: 'branchSummary', summary: entry.summary, fromId: entry.fromId }
    case 'compaction':
      return { role: 'compactionSummary', summary: entry.summary, tokensBefore: entry.tokensBefore }
    default:
      return undefined
  }
}

function withEdit(message: Fields | undefined, edit: Fields | undefined): AgentMessage | undefined {
  if (message === undefined || edit === undefined) return message as AgentMessage | undefined
  if (edit.replacement === null) return undefined
  const content = isObject(edit.replacement) ? edit.replacement.content : undefined
  if (!('content' in message) || (typeof content !== 'string' && !Array.isArray(content))) {
    return message as unknown as AgentMessage
  }
  return { ...message, content } as unknown as AgentMessage
}

function isTold(message: AgentMessage): boolean {
  const { role, stopReason, excludeFromContext } = message as unknown as Fields
  if (typeof role !== 'string' || role === 'system' || role === 'developer') return false
  return stopReason !== 'error' && excludeFromContext !== true
}

/** From a leaf up to, and without, a node above it. */
export function stretchUp(tree: Tree, leaf: number, above: number): Stretch {
  const { columns } = tree
  const nodes: number[] = []
  for (let at = columns.ownerOf(leaf); at > ROOT && at !== above; at = columns.parent[at]!) nodes.push(at)
  return { tree, nodes, leaf }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
