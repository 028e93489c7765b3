import { Flag, ROOT, type Tree } from '@treeline/core'
import type { Routes, Trunk } from '@treeline/protocol'
import type { Reply } from '../../http/handler.ts'
import { nodeAtPlace } from '../../wire/list-nodes.ts'
import { toNode } from '../../wire/to-node.ts'
import { endOf, modeOf, type Seen } from '../../wire/tree-head.ts'
import { type BodyOf, withBodies } from '../../wire/with-bodies.ts'
import { type Cursor, toCursor } from './cursor.ts'
import { bytesInFull } from './node-bytes.ts'

interface TrunkAsked {
  readonly cursor: Cursor | undefined
  readonly limit: number
  readonly maxBytes: number
}

interface Shown {
  readonly ref: number
  /** Muted nodes between it and the one shown before it. */
  readonly hiddenBefore: number
}

interface TrunkPage {
  /** In the order in which they are read. */
  readonly shown: readonly Shown[]
  /** Muted nodes below the last one, where the trunk ends. */
  readonly hiddenAfter: number
  /** The node with which the page above ends, ROOT for none. */
  readonly above: number
}

/** The end of the trunk, or what stands above a page of it: so many nodes that are not muted, in reading order. */
export function showTrunk(seen: Seen, asked: TrunkAsked): Promise<Reply<Routes['getTree']>> {
  const choose = (tree: Tree) => choosePage(seen, tree, asked)
  return withBodies(
    seen,
    (tree) => choose(tree).shown.map(({ ref }) => tree.ids.textOf(ref)),
    (tree, bodyOf) => {
      const { shown, hiddenAfter, above } = choose(tree)
      const version = asked.cursor?.version ?? seen.seq
      const body: Trunk = {
        sessionId: seen.id,
        version,
        activeLeafId: endOf(seen),
        items: shown.map((one) => toItem(tree, one, bodyOf)),
        ...(hiddenAfter > 0 && { hiddenAfter }),
        before: above === ROOT ? null : toCursor(seen, 'trunk', version, above),
      }
      return { status: 200, version, body }
    },
  )
}

function choosePage(seen: Seen, tree: Tree, { cursor, limit, maxBytes }: TrunkAsked): TrunkPage {
  const { columns } = tree
  // A linear session shows everything, muted or not.
  const hides = modeOf(tree) === 'tree'
  const isHidden = (ref: number) => hides && columns.has(ref, Flag.muted)
  let at = cursor === undefined ? lastOf(seen, tree) : (nodeAtPlace(tree, cursor.place) ?? ROOT)
  let hiddenAfter = 0
  for (; at > ROOT && isHidden(at); at = columns.parent[at]!) hiddenAfter++
  const shown: Shown[] = []
  let bytes = 0
  while (at > ROOT && shown.length < limit) {
    bytes += bytesInFull(tree, at)
    if (shown.length > 0 && bytes > maxBytes) break
    const ref = at
    let hiddenBefore = 0
    for (at = columns.parent[at]!; at > ROOT && isHidden(at); at = columns.parent[at]!) hiddenBefore++
    shown.push({ ref, hiddenBefore })
  }
  return { shown: shown.reverse(), hiddenAfter: cursor === undefined ? hiddenAfter : 0, above: Math.max(ROOT, at) }
}

function lastOf(seen: Seen, { ids }: Tree): number {
  const id = endOf(seen)
  return id === null ? ROOT : ids.find(id)
}

function toItem(tree: Tree, { ref, hiddenBefore }: Shown, bodyOf: BodyOf): Trunk['items'][number] {
  return { node: toNode(tree, ref, bodyOf(tree.ids.textOf(ref))), siblings: siblingsOf(tree, ref), hiddenBefore }
}

function siblingsOf({ columns, ids }: Tree, ref: number): Trunk['items'][number]['siblings'] {
  const parent = columns.parent[ref]!
  const siblings = parent < ROOT ? [ref] : columns.children(parent)
  return { index: columns.indexOf(ref), count: siblings.length, ids: siblings.map((sibling) => ids.textOf(sibling)) }
}
