import { type Entry, type ImageBlock, Kind, MERGE_TYPE, ROOT, Role, type Tree } from '@treeline/core'
import type { Session } from '@treeline/store'
import { findTarget } from './target.ts'

/** What it means to choose a node: where to go, and what to put before the person to say anew. */
export interface Selected {
  readonly leafId: string | null
  readonly editorText?: string
  readonly editorImages?: readonly ImageBlock[]
}

/**
 * Choosing what a person said means to say it again, differently: the leaf goes above it and its text into the editor.
 * Choosing anything else means to go on from there (M9). Changes nothing: `leaveBranch` does.
 */
export async function selectNode(session: Session, nodeId: string): Promise<Selected> {
  const { tree } = session
  const { id, ref } = findTarget(tree, nodeId)
  if (id === null || !isSaid(tree, ref)) return { leafId: id }
  const full = await session.readFull(id)
  // A merge is text for the model that nobody has typed; one goes on from it.
  if (full === undefined || full.entry.customType === MERGE_TYPE) return { leafId: id }
  const { text, images } = readSaid(full.entry)
  const leafId = placeAbove(tree, ref)
  return { leafId, editorText: text, ...(images.length > 0 && { editorImages: images }) }
}

function isSaid({ columns }: Tree, ref: number): boolean {
  const kind = columns.kind[ref]
  return kind === Kind.custom_message || (kind === Kind.message && columns.role[ref] === Role.user)
}

/** The node above, with the choice of a model or the like that stood between them, unless an edit parted them. */
function placeAbove(tree: Tree, ref: number): string | null {
  const { columns, ids, edits } = tree
  const parent = Math.max(ROOT, columns.parent[ref]!)
  const seat = columns.seatOf(columns.rawParent[edits.copies.get(ref)?.body ?? ref]!)
  const place = columns.ownerOf(seat) === parent ? seat : parent
  return place === ROOT ? null : ids.textOf(place)
}

function readSaid(entry: Entry): { readonly text: string; readonly images: readonly ImageBlock[] } {
  const said = entry.type === 'message' ? (entry.message as { readonly content?: unknown } | undefined) : entry
  const content: unknown = said?.content
  if (typeof content === 'string') return { text: content, images: [] }
  const blocks = (Array.isArray(content) ? content : []).filter((block) => typeof block === 'object' && block !== null)
  const text = blocks.flatMap(({ type, text: words }) => (type === 'text' && typeof words === 'string' ? [words] : []))
  return { text: text.join('\n'), images: blocks.filter(isImage) }
}

/** With its bytes: one whose blob is gone cannot be sent again. */
function isImage({ type, data, mimeType }: Readonly<Record<string, unknown>>): boolean {
  return type === 'image' && typeof mimeType === 'string' && typeof data === 'string' && !data.startsWith('blob:')
}
