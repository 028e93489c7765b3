import type { Tree } from '@treeline/core'
import type { Limits, Routes } from '@treeline/protocol'
import type { Reply } from '../../http/handler.ts'
import { cutNode } from '../../wire/cut-node.ts'
import { type ListOptions, listNodes } from '../../wire/list-nodes.ts'
import { createdLine } from '../../wire/node-time.ts'
import { fragmentRoots, toFragments } from '../../wire/to-fragment.ts'
import { toNode } from '../../wire/to-node.ts'
import { toSkeleton } from '../../wire/to-skeleton.ts'
import { type Seen, type TreeHead, toTreeHead } from '../../wire/tree-head.ts'
import { type BodyOf, withBodies } from '../../wire/with-bodies.ts'
import { type Cursor, toCursor } from './cursor.ts'
import { deletedMark } from './deleted-mark.ts'
import { bytesInFull, bytesInShort } from './node-bytes.ts'

export interface NodesAsked {
  readonly listing: 'tree' | 'past'
  readonly cursor: Cursor | undefined
  /** Without one: all, as far as an answer may go. */
  readonly limit: number | undefined
  readonly include: Required<ListOptions>
  readonly limits: Limits
}

interface Page {
  readonly refs: readonly number[]
  readonly version: number
  readonly nextCursor: string | null
}

export function showFull(seen: Seen, asked: NodesAsked): Promise<Reply<Routes['getTree']>> {
  return showPage(seen, asked, bytesInFull, (tree, refs, bodyOf) => {
    const mark = deletedMark(tree, asked.include)
    const nodes = refs.map((ref) => {
      const id = tree.ids.textOf(ref)
      return [id, { ...cutNode(toNode(tree, ref, bodyOf(id)), asked.limits.contentChars), ...mark(ref) }] as const
    })
    return Object.fromEntries(nodes)
  })
}

export function showSkeleton(seen: Seen, asked: NodesAsked): Promise<Reply<Routes['getTree']>> {
  return showPage(seen, asked, bytesInShort, (tree, refs, bodyOf) => {
    const mark = deletedMark(tree, asked.include)
    return refs.map((ref) => ({ ...toSkeleton(tree, ref, bodyOf(tree.ids.textOf(ref))), ...mark(ref) }))
  })
}

function showPage<N>(
  seen: Seen,
  asked: NodesAsked,
  bytesOf: (tree: Tree, ref: number) => number,
  toNodes: (tree: Tree, refs: readonly number[], bodyOf: BodyOf) => N,
): Promise<{ status: 200; version: number; body: TreeHead & { nodes: N } }> {
  // Fragments stand on the first page.
  const hasFragments = asked.include.fragments && asked.cursor === undefined
  const choose = () => choosePage(seen, asked, bytesOf)
  return withBodies(
    seen,
    (tree) => [...choose().refs.map((ref) => tree.ids.textOf(ref)), ...(hasFragments ? fragmentRoots(tree) : [])],
    (tree, bodyOf) => {
      const { refs, version, nextCursor } = choose()
      const head = toTreeHead(seen, { fragments: hasFragments ? toFragments(tree, bodyOf) : [], nextCursor })
      return { status: 200, version, body: { ...head, version, nodes: toNodes(tree, refs, bodyOf) } }
    },
  )
}

function choosePage(seen: Seen, asked: NodesAsked, bytesOf: (tree: Tree, ref: number) => number): Page {
  const { listing, cursor, limit, include, limits } = asked
  const { tree } = seen
  const version = cursor?.version ?? seen.seq
  const most = limit ?? limits.treeNodes
  const refs: number[] = []
  let bytes = 0
  for (const ref of listNodes(tree, include, cursor?.place)) {
    if (createdLine(tree, ref) > version) break
    bytes += bytesOf(tree, ref)
    const isFull = refs.length === most || (refs.length > 0 && bytes > limits.treeBytes)
    if (isFull) return { refs, version, nextCursor: toCursor(seen, listing, version, refs.at(-1)!) }
    refs.push(ref)
  }
  return { refs, version, nextCursor: null }
}
