import { type Entry, Flag, type Tree } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { FormatNote } from '../note.ts'
import { redact, redactEntry } from '../redact/redact.ts'
import { idOf } from './chosen.ts'
import { readFullEntry, unreadableNote } from './full-entry.ts'

/** A node as a person sees it: after all edits, with its images and long texts. */
export interface NodeView {
  readonly ref: number
  readonly id: string
  readonly parentId: string | null
  readonly muted: boolean
  readonly generating: boolean
  readonly label: string | undefined
  /** Rating, pin and the like. */
  readonly meta: Readonly<Record<string, unknown>> | undefined
  /** `undefined` when it cannot be read, or is still being generated. */
  readonly entry: Entry | undefined
}

const NODES_PER_READ = 64

/** The nodes in the order given, a few in memory at a time. */
export async function* readNodes(
  session: Session,
  tree: Tree,
  refs: readonly number[],
  { redact: isRedacted = false, notes }: { readonly redact?: boolean | undefined; readonly notes: FormatNote[] },
): AsyncGenerator<NodeView> {
  for (let start = 0; start < refs.length; start += NODES_PER_READ) {
    const some = refs.slice(start, start + NODES_PER_READ)
    const stored = await session.readEntries(some.map((ref) => tree.ids.textOf(ref)))
    for (const [i, ref] of some.entries()) {
      const id = tree.ids.textOf(ref)
      const generating = tree.columns.has(ref, Flag.generating)
      const full = stored[i] && (await readFullEntry(session, stored[i], notes))
      if (full === undefined && !generating) notes.push(unreadableNote(id))
      const label = tree.edits.labels.get(id)?.label
      const meta = metaOf(tree, ref)
      yield {
        ref,
        id,
        parentId: idOf(tree, tree.columns.parent[ref]!),
        muted: tree.columns.has(ref, Flag.muted),
        generating,
        label: label !== undefined && isRedacted ? redact(label) : label,
        meta: meta !== undefined && isRedacted ? redactEntry(meta) : meta,
        entry: full !== undefined && isRedacted ? redactEntry(full) : full,
      }
    }
  }
}

function metaOf(tree: Tree, ref: number): Readonly<Record<string, unknown>> | undefined {
  const meta = tree.edits.meta.get(ref)
  return meta === undefined || meta.size === 0 ? undefined : Object.fromEntries(meta)
}
