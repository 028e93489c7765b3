import { type DrawStyle, drawTree, type Entry, Flag, ROOT, type Tree, treeSource } from '@treeline/core'
import type { Limits, Routes } from '@treeline/protocol'
import { type Handler, isKnown } from '../../http/handler.ts'
import { withBodies } from '../../wire/with-bodies.ts'
import { bytesInShort } from './node-bytes.ts'

/**
 * A line is as wide as its node is deep: of a long conversation only the beginning is drawn, and the last line says how
 * much is left. It is drawn twice, first without words, to know whose words are needed.
 */
export const getTreeText: Handler<Routes['getTreeText']> = ({ hub, limits }, asking) =>
  hub.use(asking.params.sessionId, async (live) => {
    const { session } = live
    if (isKnown(asking, live)) return { status: 304, version: session.seq }
    const leafOf = (tree: Tree) => (session.leafId === null ? ROOT : tree.ids.find(session.leafId))
    const draw = (tree: Tree, read: (id: string) => Entry | undefined) => {
      const drawn: number[] = []
      const body = (ref: number) => {
        drawn.push(ref)
        return tree.columns.has(ref, Flag.generating) ? undefined : read(tree.ids.textOf(ref))
      }
      const source = treeSource(tree, body, leafOf(tree))
      const lines = drawLines(source, asking.query.style, limits, () => bytesInShort(tree, drawn.at(-1) ?? ROOT))
      return { drawn, lines }
    }
    return withBodies(
      session,
      (tree) => draw(tree, () => undefined).drawn.map((ref) => tree.ids.textOf(ref)),
      (tree, bodyOf) => {
        const { drawn, lines } = draw(tree, bodyOf)
        const left = countAttached(tree) - drawn.length
        if (left > 0) lines.push(`… ${left} more`)
        const body = lines.map((line) => `${line}\n`).join('')
        return { status: 200, version: session.seq, type: 'text/plain; charset=utf-8', body }
      },
    )
  })

function drawLines(
  source: ReturnType<typeof treeSource>,
  style: DrawStyle,
  { treeNodes, treeBytes }: Limits,
  readBytes: () => number,
): string[] {
  const lines: string[] = []
  let [chars, bytes] = [0, 0]
  for (const line of drawTree(source, style)) {
    chars += line.length
    bytes += readBytes()
    lines.push(line)
    if (lines.length >= treeNodes || chars >= treeBytes || bytes >= treeBytes) break
  }
  return lines
}

function countAttached({ columns }: Tree): number {
  let count = -1
  for (const _ of columns.subtree(ROOT)) count++
  return count
}
