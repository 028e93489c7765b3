import {
  type Entry,
  type ImageBlock,
  Kind,
  MERGE_TYPE,
  ROOT,
  Role,
  splitAttached,
  type TextBlock,
  type Tree,
} from '@treeline/core'
import type { Session } from '@treeline/store'
import { findTarget } from './target.ts'

/** What it means to choose a node: where to go, and what to put before the person to say anew. */
export interface Selected {
  readonly leafId: string | null
  readonly editorText?: string
  readonly editorImages?: readonly ImageBlock[]
  /** Where there are images: the same in the order in which it was said. */
  readonly editorContent?: readonly (TextBlock | ImageBlock)[]
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
  const { text, images, blocks } = readSaid(full.entry)
  const leafId = placeAbove(tree, ref)
  return { leafId, editorText: text, ...(images.length > 0 && { editorImages: images, editorContent: blocks }) }
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

interface SaidContent {
  readonly text: string
  readonly images: readonly ImageBlock[]
  readonly blocks: readonly (TextBlock | ImageBlock)[]
}

function readSaid(entry: Entry): SaidContent {
  const said = entry.type === 'message' ? (entry.message as { readonly content?: unknown } | undefined) : entry
  const content: unknown = said?.content
  if (typeof content === 'string') return { text: content, images: [], blocks: [] }
  const stored = (Array.isArray(content) ? content : []).filter((block) => typeof block === 'object' && block !== null)
  // Files that went with it are named in the text, and read again when it is said again.
  const blocks = splitAttached(stored).said
  const text = blocks.flatMap((block) => (isText(block) ? [block.text] : []))
  const usable = blocks.filter((block) => isText(block) || isImage(block))
  return { text: text.join('\n'), images: blocks.filter(isImage), blocks: usable }
}

function isText(block: TextBlock | ImageBlock): block is TextBlock {
  return block.type === 'text' && typeof block.text === 'string'
}

/** With its bytes: one whose blob is gone cannot be sent again. */
function isImage(block: TextBlock | ImageBlock): block is ImageBlock {
  if (block.type !== 'image') return false
  const { data, mimeType } = block
  return typeof mimeType === 'string' && typeof data === 'string' && !data.startsWith('blob:')
}
