import { type DrawStyle, drawTree, Flag, previewColumns, type Tree, type TreeSource } from '@treeline/core'
import type { Session } from '@treeline/store'
import { counted } from '../output/amount.ts'
import { paint, type Style } from '../output/style.ts'
import { widthOf } from '../output/table.ts'
import { entryText } from '../transcript/entry-text.ts'
import { wordOf } from './entry-names.ts'
import type { Fold, FoldedView } from './fold.ts'
import type { ShownTrunk } from './trunk-in.ts'
import { refsBelow } from './view-sizes.ts'

export interface DrawOptions {
  readonly style: DrawStyle
  readonly columns: number
  readonly trunk: ShownTrunk
  /** No more nodes than this, one in a line. */
  readonly maxLines: number
  readonly shortId: (id: string) => string
}

const BATCH = 256
const FOLD_WORD = '⋮'
const ROLE_STYLES: Readonly<Record<string, Style>> = { user: 'title', assistant: 'role' }

/**
 * Lines to print, and how many nodes are beyond `maxLines`. It is drawn twice: first without words, to know whose words
 * are needed, so that no body is read that is not shown.
 */
export async function drawView(
  session: Session,
  view: FoldedView,
  roots: readonly number[],
  options: DrawOptions,
): Promise<{ readonly lines: Iterable<string>; readonly left: number }> {
  const { tree } = session
  const all = refsBelow(view, roots)
  const shown = all.length <= options.maxLines ? all : firstDrawn(tree, view, roots, options)
  const texts = await readTexts(
    session,
    shown.filter((ref) => !view.folds.has(ref)),
    options.columns,
  )
  return { lines: paintLines(tree, view, roots, options, texts), left: all.length - shown.length }
}

function firstDrawn(tree: Tree, view: FoldedView, roots: readonly number[], options: DrawOptions): number[] {
  const drawn: number[] = []
  const drawing = drawTree(
    sourceOf(tree, view, roots, options, (ref) => record(drawn, ref)),
    options.style,
  )
  while (drawn.length < options.maxLines && !drawing.next().done);
  return drawn
}

function record(drawn: number[], ref: number): string {
  drawn.push(ref)
  return ''
}

function* paintLines(
  tree: Tree,
  view: FoldedView,
  roots: readonly number[],
  options: DrawOptions,
  texts: ReadonlyMap<number, string>,
): Generator<string> {
  const { style, columns, maxLines, shortId } = options
  const drawn: number[] = []
  const hasGutter = style === 'treeline'
  // Ids of other tools may be anything: they are shown as one line, and leave room for the words.
  const maxId = Math.floor(columns / 3)
  const idOf = (ref: number) => (view.folds.has(ref) ? '' : previewColumns(shortId(tree.ids.textOf(ref)), maxId))
  let gutter = 0
  if (hasGutter) for (const ref of texts.keys()) gutter = Math.max(gutter, widthOf(idOf(ref)))
  const source = sourceOf(tree, view, roots, options, (ref) => {
    record(drawn, ref)
    return texts.get(ref) ?? foldText(view.folds.get(ref))
  })
  let nodes = 0
  for (const line of drawTree(source, style, columns - (hasGutter ? gutter + 2 : 0))) {
    const ref = drawn.pop()
    if (ref !== undefined && ++nodes > maxLines) return
    if (!hasGutter || ref === undefined) yield line
    else {
      const id = idOf(ref)
      yield `${paint('id', id)}${' '.repeat(gutter - widthOf(id))}  ${paintNode(line, source, ref)}`
    }
  }
}

/** Colours say again what ● and ○, `(leaf)` and the role say. */
function paintNode(line: string, source: TreeSource<number>, ref: number): string {
  const { trunk, leaf, muted } = source.marks!(ref)
  if (leaf) return paint('strong', line)
  if (!trunk || muted) return paint('faint', line)
  const type = source.type(ref)
  const at = line.search(/[●○] /) + 2
  const style = ROLE_STYLES[type]
  if (style === undefined || !line.startsWith(type, at)) return line
  return line.slice(0, at) + paint(style, type) + line.slice(at + type.length)
}

function sourceOf(
  tree: Tree,
  view: FoldedView,
  roots: readonly number[],
  { trunk }: DrawOptions,
  text: (ref: number) => string,
): TreeSource<number> {
  const { columns, edits, ids } = tree
  const onTrunk = new Set(trunk.refs)
  return {
    roots,
    children: view.children,
    id: (ref) => (view.folds.has(ref) ? FOLD_WORD : ids.textOf(ref)),
    type: (ref) => (view.folds.has(ref) ? FOLD_WORD : wordOf(tree, ref)),
    text,
    marks: (ref) => {
      if (view.folds.has(ref)) return { trunk: onTrunk.has(ref) }
      return {
        trunk: onTrunk.has(ref),
        leaf: ref === trunk.leaf,
        muted: columns.has(ref, Flag.muted),
        generating: columns.has(ref, Flag.generating),
        label: edits.labels.get(ids.textOf(ref))?.label,
      }
    },
  }
}

function foldText(fold: Fold | undefined): string {
  if (fold === undefined) return ''
  const nodes = counted(fold.nodes, 'node')
  if (fold.where === 'run') return nodes
  return fold.where === 'below' ? `${nodes} below` : `${nodes} in other branches`
}

async function readTexts(session: Session, refs: readonly number[], columns: number): Promise<Map<number, string>> {
  const texts = new Map<number, string>()
  for (let start = 0; start < refs.length; start += BATCH) {
    const batch = refs.slice(start, start + BATCH)
    const entries = await session.readEntries(batch.map((ref) => session.tree.ids.textOf(ref)))
    for (const [i, ref] of batch.entries()) {
      const entry = entries[i]
      const isWaiting = session.tree.columns.has(ref, Flag.generating)
      // A line shows no more than this of it, and may show much less: nothing longer is held on to.
      texts.set(
        ref,
        entry === undefined ? (isWaiting ? '' : '(unreadable)') : previewColumns(entryText(entry), columns),
      )
    }
  }
  return texts
}
