import { type Entry, Flag, Kind, ROOT, Role, type Tree } from '@treeline/core'
import type { Session } from '@treeline/store'
import { type Filter, type TreeView, viewTree } from './tree-view.ts'

const BATCH = 256

/** As `viewTree`; for `no-tools` the answers are read, because only they say whether they are more than tool calls. */
export async function readView(session: Session, filter: Filter | 'entries'): Promise<TreeView> {
  const { tree } = session
  if (filter !== 'no-tools') return viewTree(tree, filter)
  const wordless = new Set<number>()
  const answers = [...answersOf(tree)]
  for (let start = 0; start < answers.length; start += BATCH) {
    const refs = answers.slice(start, start + BATCH)
    const entries = await session.readEntries(refs.map((ref) => tree.ids.textOf(ref)))
    for (const [i, ref] of refs.entries()) if (entries[i] !== undefined && isWordless(entries[i])) wordless.add(ref)
  }
  if (session.leafId !== null) wordless.delete(tree.columns.ownerOf(tree.ids.find(session.leafId)))
  return viewTree(tree, filter, (ref) => !wordless.has(ref))
}

function* answersOf({ columns, ids }: Tree): Generator<number> {
  const { kind, role } = columns
  for (let ref = ROOT + 1; ref < ids.count; ref++) {
    if (columns.has(ref, Flag.node) && kind[ref] === Kind.message && role[ref] === Role.assistant) yield ref
  }
}

/** Only thought or called tools, and neither failed nor was stopped. */
export function isWordless({ message }: Entry): boolean {
  const { content, stopReason } = (message ?? {}) as { readonly content?: unknown; readonly stopReason?: unknown }
  if (!Array.isArray(content) || stopReason === 'error' || stopReason === 'aborted') return false
  return !content.some((block) => block?.type === 'text' && typeof block.text === 'string' && block.text.trim() !== '')
}
