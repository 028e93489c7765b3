import { commonAncestor, type Tree, TreelineError } from '@treeline/core'
import type { ChatMessageNode, Compare, Limits, Routes } from '@treeline/protocol'
import { type Handler, isKnown } from '../../http/handler.ts'
import { idOrNull, toNode } from '../../wire/to-node.ts'
import { type BodyOf, withBodies } from '../../wire/with-bodies.ts'
import { refOfNode } from './find-node.ts'
import { bytesInFull } from './node-bytes.ts'

interface Sides {
  readonly ancestor: number
  readonly left: readonly number[]
  readonly right: readonly number[]
}

/** From where the two part, each to its end. */
export const compare: Handler<Routes['compare']> = ({ hub, limits }, asking) =>
  hub.use(asking.params.sessionId, async (live) => {
    const { session } = live
    const choose = (tree: Tree) => findSides(tree, asking.query, limits)
    choose(session.tree)
    if (isKnown(asking, live)) return { status: 304, version: session.seq }
    return withBodies(
      session,
      (tree) => {
        const { left, right } = choose(tree)
        return [...left, ...right].map((ref) => tree.ids.textOf(ref))
      },
      (tree, bodyOf) => {
        const { ancestor, left, right } = choose(tree)
        const version = session.seq
        const show = (refs: readonly number[]) => showSide(tree, refs, bodyOf)
        const [onLeft, onRight] = [show(left), show(right)]
        const body: Compare = {
          version,
          commonAncestorId: idOrNull(tree, ancestor),
          left: onLeft,
          right: onRight,
          metrics: { left: metricsOf(onLeft), right: metricsOf(onRight) },
        }
        return { status: 200, version, body }
      },
    )
  })

function findSides(tree: Tree, query: { readonly left: string; readonly right: string }, limits: Limits): Sides {
  const [left, right] = [refOfNode(tree, query.left), refOfNode(tree, query.right)]
  const ancestor = commonAncestor(tree, left, right)
  const sides = { ancestor, left: pathBelow(tree, ancestor, left), right: pathBelow(tree, ancestor, right) }
  const refs = [...sides.left, ...sides.right]
  const isLong = refs.length > limits.treeNodes
  if (!isLong && refs.reduce((bytes, ref) => bytes + bytesInFull(tree, ref), 0) <= limits.treeBytes) return sides
  throw new TreelineError(
    'validation_failed',
    `The two differ in ${refs.length} nodes, which is too much for one answer. Choose some nearer to where they part.`,
  )
}

function pathBelow({ columns }: Tree, ancestor: number, end: number): number[] {
  const refs: number[] = []
  for (let at = end; at > 0 && at !== ancestor; at = columns.parent[at]!) refs.push(at)
  return refs.reverse()
}

function showSide(tree: Tree, refs: readonly number[], bodyOf: BodyOf): ChatMessageNode[] {
  return refs.map((ref) => toNode(tree, ref, bodyOf(tree.ids.textOf(ref))))
}

/** `tokens` is all that was paid for: sent and answered. */
function metricsOf(nodes: readonly ChatMessageNode[]): Compare['metrics']['left'] {
  let [tokens, cost, latencyMs] = [0, 0, 0]
  for (const { metadata } of nodes) {
    tokens += (metadata?.tokenCount?.context ?? 0) + (metadata?.tokenCount?.output ?? 0)
    cost += metadata?.cost?.amount ?? 0
    latencyMs += metadata?.latency?.totalMs ?? 0
  }
  return { tokens: Math.round(tokens), cost, latencyMs }
}
