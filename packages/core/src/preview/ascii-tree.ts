import { assertNever } from '../errors.ts'
import { firstGraphemes } from './preview.ts'
import { drawTreeline } from './treeline-style.ts'

/** What is known of a node beyond its text; all of it optional, all of it said in words or shapes, never by colour alone. */
export interface NodeMarks {
  /** On the path from the root to the leaf. */
  readonly trunk?: boolean
  readonly leaf?: boolean
  readonly muted?: boolean
  readonly generating?: boolean
  readonly label?: string | undefined
}

/** Any tree that can be drawn. It must be one: a child has one parent and no ring leads back to it. */
export interface TreeSource<N> {
  readonly roots: readonly N[]
  children(node: N): readonly N[]
  id(node: N): string
  type(node: N): string
  text(node: N): string
  marks?(node: N): NodeMarks
}

/**
 * - `ids` (P22): a line `root`, then `<id>: <first 30>` under it.
 * - `typed` (P26): `[<type>] <first 40>`, the roots one after the other.
 * - `treeline`: straight runs stay in one column, only branches indent; ● is the trunk, ○ the rest.
 */
export type DrawStyle = 'ids' | 'typed' | 'treeline'

/**
 * Draws a tree, one line at a time, each only when asked for (X36). Every line is plain and single, whatever the nodes hold.
 * In `ids` and `typed` a line is as wide as its node is deep, because those formats say so; `treeline` stays within
 * the columns it is given.
 *
 * @example
 * for (const line of drawTree(treeSource(tree, readBody), 'treeline')) console.log(line)
 */
export function drawTree<N>(source: TreeSource<N>, style: DrawStyle, columns = 80): Generator<string> {
  switch (style) {
    case 'ids':
      return drawIndented(source, (n) => `${word(source.id(n))}: ${firstGraphemes(source.text(n), 30)}`, 'root')
    case 'typed':
      return drawIndented(source, (n) => `[${word(source.type(n))}] ${firstGraphemes(source.text(n), 40)}`)
    case 'treeline':
      return drawTreeline(source, columns)
    default:
      return assertNever(style)
  }
}

/** Ids and types come from files too, and other tools may put anything there. */
function word(text: string): string {
  return firstGraphemes(text, 128)
}

/** Siblings that are being drawn: how far, and what stands before them. */
interface Level<N> {
  readonly nodes: readonly N[]
  readonly prefix: string
  next: number
}

function* drawIndented<N>(source: TreeSource<N>, label: (node: N) => string, header?: string): Generator<string> {
  if (header !== undefined) yield header
  const levels: Level<N>[] = [{ nodes: source.roots, prefix: '', next: 0 }]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    if (level.next === level.nodes.length) {
      levels.pop()
      continue
    }
    const node = level.nodes[level.next++]!
    const isLast = level.next === level.nodes.length
    yield `${level.prefix}${isLast ? '└── ' : '├── '}${label(node)}`
    const nodes = source.children(node)
    if (nodes.length > 0) levels.push({ nodes, prefix: level.prefix + (isLast ? '    ' : '│   '), next: 0 })
  }
}
