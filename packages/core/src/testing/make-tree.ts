import { headRole } from '../codec/head.ts'
import type { Head } from '../codec/heads.ts'
import type { Entry } from '../entry/entry.ts'
import { kindOf, treeReadsBody } from '../entry/kind.ts'
import { listFragments } from '../tree/branches.ts'
import { Flag, ROOT } from '../tree/columns.ts'
import { Tree, type TreeOptions } from '../tree/tree.ts'

/** The head of an entry as a scan of its line would give it. */
function headOf(entry: Entry, line: number): Head {
  const kind = kindOf(entry.type, entry.customType)
  return {
    kind,
    role: headRole(kind, entry),
    id: entry.id,
    parentId: entry.parentId,
    timeMs: Date.parse(entry.timestamp),
    offset: 0,
    length: 0,
    line,
    ...(treeReadsBody(kind) && { body: entry }),
  }
}

/** A tree with the entries it was made from, kept by row, so that bodies can be read. Line 1 is the header. */
export class TestLog {
  readonly entries: Entry[] = []
  readonly tree: Tree

  constructor(entries: readonly Entry[] = [], options: TreeOptions = {}) {
    this.tree = new Tree(undefined, options)
    this.append(...entries)
  }

  append(...entries: readonly Entry[]): void {
    for (const entry of entries) {
      this.entries.push(entry)
      this.tree.append(headOf(entry, this.entries.length + 1))
    }
  }

  /** The same entries taken in as one batch. */
  rebuilt(): TestLog {
    const log = new TestLog()
    this.entries.forEach((entry, i) => {
      log.entries.push(entry)
      log.tree.heads.push(headOf(entry, i + 2))
    })
    log.tree.sync()
    return log
  }

  bodyOf(ref: number): Entry | undefined {
    return this.entries[this.tree.bodyRow(ref)]
  }
}

/** Everything a person could tell apart about a tree, as plain data. */
export function describeTree(tree: Tree): unknown {
  const { columns, ids, edits } = tree
  const text = (ref: number) => (ref === ROOT ? null : ids.textOf(ref))
  const nodes: Record<string, unknown> = {}
  for (let ref = 1; ref < ids.count; ref++) {
    if (!columns.has(ref, Flag.node)) continue
    nodes[ids.textOf(ref)] = {
      parent: columns.parent[ref]! < 0 ? 'nowhere' : text(columns.parent[ref]!),
      children: columns.children(ref).map(text),
      muted: columns.has(ref, Flag.muted),
      generating: columns.has(ref, Flag.generating),
      meta: Object.fromEntries([...(edits.meta.get(ref) ?? [])].sort()),
      body: text(edits.copies.get(ref)?.body ?? ref),
    }
  }
  return {
    nodes,
    roots: columns.children(ROOT).map(text),
    fragments: listFragments(tree)
      .map(({ fragmentId, fromParentId, fromIndex }) => [fragmentId, fromParentId, fromIndex])
      .sort(),
    deleted: [...edits.deleted]
      .map(([ref, { parent, index, adopted, fragment }]) => [
        text(ref),
        text(parent),
        index,
        adopted?.map(text),
        fragment && [text(fragment.fromParent), fragment.fromIndex],
      ])
      .sort(),
    labels: [...edits.labels].map(([id, { label }]) => [id, label]).sort(),
    session: Object.fromEntries([...edits.session].sort()),
    config: Object.fromEntries([...edits.config].sort()),
    name: edits.name,
  }
}
