import { type Entry, Flag, listFragments, type Tree } from '@treeline/core'
import type { Session } from '@treeline/store'
import { safeJson } from '../output/safe-json.ts'
import { type EntryName, nameOf } from './entry-names.ts'
import type { TreeView } from './tree-view.ts'

const BATCH = 256
const PIECE_CHARS = 1 << 16

/**
 * `treeline tree --json`, a piece at a time. Written with a stack of its own: a conversation of 100,000 messages is an
 * object 100,000 deep, which `JSON.stringify` cannot write.
 */
export async function* treeJson(session: Session, view: TreeView): AsyncGenerator<string> {
  let piece = ''
  for (const part of parts(session, view, await readNames(session, view))) {
    piece += part
    if (piece.length < PIECE_CHARS) continue
    yield piece
    piece = ''
  }
  yield piece
}

type Names = ReadonlyMap<number, EntryName>

function* parts(session: Session, view: TreeView, names: Names): Generator<string> {
  const { tree } = session
  yield `{"sessionId":${safeJson(session.id)},"leafId":${safeJson(session.leafId)},"roots":[`
  yield* nodeParts(tree, view, view.roots, names)
  yield '],"stash":['
  const fragments = listFragments(tree)
  for (const [i, { roots }] of view.stash.entries()) {
    const { fragmentId, title, nodeCount, fromParentId, fromIndex, createdAt } = fragments[i]!
    const about = { fragmentId, title, nodeCount, fromParentId, fromIndex, createdAt }
    yield `${i > 0 ? ',' : ''}${safeJson(about).slice(0, -1)},"roots":[`
    yield* nodeParts(tree, view, roots, names)
    yield ']}'
  }
  yield ']}\n'
}

function* nodeParts(tree: Tree, view: TreeView, roots: readonly number[], names: Names): Generator<string> {
  const levels = [{ refs: roots, next: 0 }]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    if (level.next === level.refs.length) {
      levels.pop()
      if (levels.length > 0) yield ']}'
      continue
    }
    const comma = level.next > 0 ? ',' : ''
    const ref = level.refs[level.next++]!
    yield `${comma}${safeJson(describe(tree, ref, names)).slice(0, -1)},"children":[`
    levels.push({ refs: view.children(ref), next: 0 })
  }
}

function describe(tree: Tree, ref: number, names: Names): object {
  const { columns, edits, ids } = tree
  const id = ids.textOf(ref)
  const { type, role } = nameOf(tree, ref) ?? names.get(ref) ?? { type: 'unreadable', role: undefined }
  const label = edits.labels.get(id)?.label
  return {
    id,
    type,
    ...(role !== undefined && { role }),
    ...(label !== undefined && { label }),
    ...(columns.has(ref, Flag.muted) && { muted: true }),
    ...(columns.has(ref, Flag.generating) && { generating: true }),
  }
}

/** What the columns do not say, because another tool made the word up. */
async function readNames(session: Session, view: TreeView): Promise<Names> {
  const { tree } = session
  const unknown: number[] = []
  const open = [...view.roots, ...view.stash.flatMap(({ roots }) => roots)]
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    if (nameOf(tree, ref) === undefined) unknown.push(ref)
    for (const child of view.children(ref)) open.push(child)
  }
  const names = new Map<number, EntryName>()
  for (let start = 0; start < unknown.length; start += BATCH) {
    const refs = unknown.slice(start, start + BATCH)
    const entries = await session.readEntries(refs.map((ref) => tree.ids.textOf(ref)))
    for (const [i, ref] of refs.entries()) if (entries[i] !== undefined) names.set(ref, nameIn(entries[i]))
  }
  return names
}

function nameIn(entry: Entry): EntryName {
  const role = entry.type === 'message' ? (entry.message as { role?: unknown } | null)?.role : undefined
  return { type: entry.type, role: typeof role === 'string' ? role : undefined }
}
