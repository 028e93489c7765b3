import {
  type AppendPlan,
  type EditSource,
  type Entry,
  type EntryDraft,
  Flag,
  Kind,
  kindOf,
  planAppend,
  ROOT,
  refuseId,
  type Tree,
  TreelineError,
} from '@treeline/core'

/** What a chain has added so far, which the tree does not know yet. */
export interface Batch {
  readonly taken: Set<string>
  /** Announced nodes, with what their generations hang under. */
  readonly running: Map<string, string | null>
}

/** One more entry of a chain: under what the chain has just added, or under an entry of the tree. */
export function planNew(
  tree: Tree,
  draft: EntryDraft,
  parentId: string | null,
  { taken, running }: Batch,
  source: EditSource,
): AppendPlan {
  const under = (above: string | null) =>
    alone({ timestamp: source.now(), ...draft, id: freshId(tree, draft, source.newId), parentId: above } as Entry)
  const announced = draft.id === undefined ? undefined : running.get(draft.id)
  if (announced !== undefined) {
    if (draft.type !== 'message') {
      const message = `The id ${draft.id} is that of an answer that is announced, and only its message can have it.`
      throw new TreelineError('id_in_use', message, { nodeIds: [draft.id!] })
    }
    running.delete(draft.id!)
    return under(announced)
  }
  if (parentId !== null && running.has(parentId)) {
    const message = `Node ${parentId} is still being generated. Wait for it or cancel it.`
    throw new TreelineError('parent_generating', message, { nodeIds: [parentId] })
  }
  const isChained = parentId !== null && taken.has(parentId) && !isGenerating(tree, draft.id)
  return isChained ? under(parentId) : planAppend(tree, { parentId, draft }, source)
}

/** Where the leaf is after an entry on a path: there, or for a generation at the node it announces (the leaf law). */
export function seatOf(tree: Tree, entry: Entry, { taken, running }: Batch): string {
  const nodeId = kindOf(entry.type, entry.customType) === Kind.generation ? announcedId(entry) : undefined
  if (nodeId === undefined || taken.has(nodeId) || isKnown(tree, nodeId)) return entry.id
  running.set(nodeId, entry.parentId)
  return nodeId
}

function announcedId({ data }: Entry): string | undefined {
  const { nodeId } = (data ?? {}) as { readonly nodeId?: unknown }
  return typeof nodeId === 'string' && nodeId !== '' ? nodeId : undefined
}

/** An entry that needs no line beside its own. */
export function alone(entry: Entry): AppendPlan {
  return { entry, lines: [entry] }
}

function isKnown(tree: Tree, id: string): boolean {
  const ref = tree.ids.find(id)
  return ref > ROOT && tree.columns.has(ref, Flag.known)
}

function isGenerating(tree: Tree, id: string | undefined): boolean {
  return id !== undefined && isKnown(tree, id) && tree.columns.has(tree.ids.find(id), Flag.generating)
}

function freshId(tree: Tree, draft: EntryDraft, newId: () => string): string {
  if (draft.id === undefined) return newId()
  refuseId(tree, draft.id)
  return draft.id
}
