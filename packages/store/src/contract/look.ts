import { isDeepStrictEqual } from 'node:util'
import { type Entry, Flag, type Line, listFragments, nodePath, ROOT, type Tree } from '@treeline/core'
import { expect } from 'vitest'
import type { Session } from '../session/session.ts'

export interface NodeLook {
  /** `undefined`: in the stash or deleted. */
  readonly parent: string | null | undefined
  readonly children: readonly string[]
  readonly muted: boolean
}

/** What a person could tell apart about a tree, as plain data. */
export interface TreeLook {
  readonly nodes: Readonly<Record<string, NodeLook>>
  readonly roots: readonly string[]
  /** Each with where it was cut off. */
  readonly fragments: Readonly<Record<string, readonly [fromParentId: string | null, fromIndex: number]>>
  readonly deleted: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  /** `null` when it was cleared. */
  readonly name: string | null | undefined
}

export function lookAt(tree: Tree): TreeLook {
  const { columns, ids, edits } = tree
  const id = (ref: number) => (ref === ROOT ? null : ids.textOf(ref))
  const list = (ref: number) => columns.children(ref).map((child) => ids.textOf(child))
  const nodes: Record<string, NodeLook> = {}
  for (let ref = 1; ref < ids.count; ref++) {
    if (!columns.has(ref, Flag.node)) continue
    const parent = columns.parent[ref]! < 0 ? undefined : id(columns.parent[ref]!)
    nodes[ids.textOf(ref)] = { parent, children: list(ref), muted: columns.has(ref, Flag.muted) }
  }
  const fragments = listFragments(tree).map((f) => [f.fragmentId, [f.fromParentId, f.fromIndex]] as const)
  return {
    nodes,
    roots: list(ROOT),
    fragments: Object.fromEntries(fragments),
    deleted: [...edits.deleted.keys()].map((ref) => ids.textOf(ref)).sort(),
    labels: Object.fromEntries([...edits.labels].map(([nodeId, { label }]) => [nodeId, label])),
    name: edits.name,
  }
}

/** Thousands of looks are the same; only the one that is not is worth the slower way that shows what differs. */
export function expectLook(tree: Tree, expected: TreeLook): void {
  const look = lookAt(tree)
  if (!isDeepStrictEqual(look, expected)) expect(look).toStrictEqual(expected)
}

export function entriesOf(session: Session): Promise<Entry[]> {
  return collect(session.entries())
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

export async function idsOf(session: Session): Promise<string[]> {
  return (await entriesOf(session)).map(({ id }) => id)
}

/** The ids of the nodes from the root to the leaf. */
export function trunkOf({ tree, leafId }: Session): string[] {
  if (leafId === null) return []
  return nodePath(tree, tree.ids.find(leafId)).map((ref) => tree.ids.textOf(ref))
}

/** A line in words: `user: hello`. */
export function wordsOf({ messages }: Line): string[] {
  return messages.map(({ role, content }) => {
    const texts = content.map((part) => (part.type === 'text' ? part.text : `<${part.type}>`))
    return `${role}: ${texts.join(' + ')}`
  })
}
