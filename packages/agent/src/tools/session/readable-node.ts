import { type Entry, Flag, type Tree, textOf } from '@treeline/core'

/** What a model may read of a node with its own tools: no more than a line could ever show it. */
export type Readable =
  | { readonly type: 'text'; readonly role: string; readonly text: string }
  | { readonly type: 'hidden'; readonly role: string; readonly why: string }

/** A node that the user has muted or typed with `!!` is kept from the model, by whatever way it asks. */
export function readableNode(tree: Tree, ref: number, entry: Entry | undefined): Readable {
  if (entry === undefined) {
    const isGenerating = tree.columns.has(ref, Flag.generating)
    return { type: 'hidden', role: 'assistant', why: isGenerating ? 'still being generated' : 'cannot be read' }
  }
  const role = roleOf(entry)
  if (tree.columns.has(ref, Flag.muted)) return { type: 'hidden', role, why: 'muted by the user' }
  if (asObject(entry.message).excludeFromContext === true) {
    return { type: 'hidden', role, why: 'kept out of the conversation by the user' }
  }
  return { type: 'text', role, text: textOf(entry) }
}

function roleOf(entry: Entry): string {
  const { role } = asObject(entry.message)
  return entry.type === 'message' && typeof role === 'string' ? role : entry.type
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}
