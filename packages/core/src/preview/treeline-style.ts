import type { NodeMarks, TreeSource } from './ascii-tree.ts'
import { preview, previewColumns } from './preview.ts'

const CUT_INDENT = '⋯ '
/** Texts of one column start below each other; a longer type pushes its own aside. */
const TYPE_COLUMNS = 10

interface Pending<N> {
  readonly node: N
  readonly prefix: string
  /** Whether it leaves the column of its parent. */
  readonly branches: boolean
}

/**
 * One child goes on in its parent's column: the one on the trunk, else the last. The others are drawn above it, in order,
 * each indented by one step, so a conversation of any length without branches is a straight list. A blank line parts roots.
 */
export function* drawTreeline<N>(source: TreeSource<N>, columns: number): Generator<string> {
  let isFirst = true
  for (const root of source.roots) {
    if (!isFirst) yield ''
    isFirst = false
    yield* drawRoot(source, root, columns)
  }
}

function* drawRoot<N>(source: TreeSource<N>, root: N, columns: number): Generator<string> {
  // Branches off branches off branches lose their left side beyond this, so that words keep half of the line.
  const maxIndent = Math.floor(columns / 2)
  const pending: Pending<N>[] = [{ node: root, prefix: '', branches: false }]
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { node, prefix, branches } = item
    yield drawNode(source, node, branches ? `${prefix}├─` : prefix, columns)
    const children = source.children(node)
    if (children.length === 0) continue
    const below = branches ? indent(prefix, maxIndent) : prefix
    const straight = findStraight(source, children)
    pending.push({ node: children[straight]!, prefix: below, branches: false })
    for (let i = children.length - 1; i >= 0; i--) {
      if (i !== straight) pending.push({ node: children[i]!, prefix: below, branches: true })
    }
  }
}

function findStraight<N>(source: TreeSource<N>, children: readonly N[]): number {
  const onTrunk = children.length === 1 ? -1 : children.findIndex((child) => source.marks?.(child).trunk)
  return onTrunk < 0 ? children.length - 1 : onTrunk
}

function indent(prefix: string, maxIndent: number): string {
  const deeper = `${prefix}│ `
  return deeper.length <= maxIndent ? deeper : CUT_INDENT + deeper.slice(deeper.length - maxIndent + CUT_INDENT.length)
}

function drawNode<N>(source: TreeSource<N>, node: N, before: string, columns: number): string {
  const marks = source.marks?.(node) ?? {}
  const start = `${before}${marks.trunk ? '●' : '○'} ${preview(source.type(node), TYPE_COLUMNS * 2).padEnd(TYPE_COLUMNS)}`
  return `${start} ${previewColumns(`${noteOf(marks)}${source.text(node)}`, columns - start.length - 1)}`.trimEnd()
}

/** Before the text, where a long text cannot push it out of sight. */
function noteOf(marks: NodeMarks): string {
  const notes: string[] = []
  if (marks.leaf) notes.push('leaf')
  if (marks.muted) notes.push('muted')
  if (marks.generating) notes.push('generating')
  if (marks.label) notes.push(`#${preview(marks.label, 20)}`)
  return notes.length === 0 ? '' : `(${notes.join(', ')}) `
}
