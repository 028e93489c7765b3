import { type Entry, Flag, nodePath, ROOT, type Tree } from '@treeline/core'
import type { BlobRef, Session } from '@treeline/store'

const ENTRIES_PER_READ = 64

/**
 * Whether an entry of this conversation that a model may read names a blob. Blobs of all sessions lie together; a model
 * that was told a name from elsewhere gets nothing. Looks where the call comes from first, latest first, then everywhere.
 */
export async function keepsBlob(
  session: Session,
  tipId: string | null,
  ref: BlobRef,
  signal: AbortSignal,
): Promise<boolean> {
  const { tree } = session
  const tip = tipId === null ? ROOT : tree.ids.find(tipId)
  const path = tip > ROOT ? nodePath(tree, tip).reverse() : []
  for (let at = 0; at < path.length; at += ENTRIES_PER_READ) {
    signal.throwIfAborted()
    const ids = path.slice(at, at + ENTRIES_PER_READ).map((node) => tree.ids.textOf(node))
    const entries = await session.readEntries(ids)
    if (entries.some((entry) => entry !== undefined && names(tree, entry, ref))) return true
  }
  for await (const entry of session.entries()) {
    signal.throwIfAborted()
    if (names(tree, entry, ref)) return true
  }
  return false
}

function names(tree: Tree, entry: Entry, ref: BlobRef): boolean {
  const message = asObject(entry.message)
  const node = tree.ids.find(entry.id)
  // What the user has muted, a `!!` command and its output are kept from the model.
  if (message.excludeFromContext === true || (node > ROOT && tree.columns.has(node, Flag.muted))) return false
  if (message.fullOutputPath === ref || asObject(message.details).fullOutput === ref) return true
  if (Object.values(asObject(entry.treelineFull)).includes(ref)) return true
  const content: readonly unknown[] = Array.isArray(message.content) ? message.content : []
  return content.some((block) => asObject(block).data === ref)
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}
