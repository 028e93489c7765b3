import { Flag, previewColumns, type Tree } from '@treeline/core'
import { wordOf } from '../../drawing/entry-names.ts'
import { numberText } from '../../output/amount.ts'
import { t } from '../../output/language.ts'
import type { Glyphs } from './glyphs.ts'
import type { BadEnd, PreviewCache } from './preview-cache.ts'
import type { TreeLayout } from './tree-layout.ts'

/** One node in sight. */
export interface TreeRow {
  readonly ref: number
  /** Lines that lead to it, with the signs for a fold and the trunk. */
  readonly lead: string
  /** What it is: `user`, `assistant`, `compaction` … */
  readonly word: string
  /** Marks in words, because colours may be missing: `(leaf, muted, #label) `. */
  readonly notes: string
  readonly isTrunk: boolean
  readonly isLeaf: boolean
  readonly isMuted: boolean
}

export interface RowFacts {
  readonly tree: Tree
  readonly layout: TreeLayout
  readonly folded: ReadonlySet<number>
  readonly trunk: Uint8Array
  readonly leaf: number
  readonly previews: Pick<PreviewCache, 'badEndOf'>
  /** The node that is about to be hung elsewhere. */
  readonly held: string | undefined
}

const LABEL_COLUMNS = 20

/** The rows that no fold hides, in order. */
export function unfoldedRows(layout: TreeLayout, folded: ReadonlySet<number>): Int32Array {
  const { refs, end } = layout
  const rows = new Int32Array(refs.length)
  let count = 0
  for (let row = 0; row < refs.length; ) {
    rows[count++] = row
    row = folded.size > 0 && folded.has(refs[row]!) ? end[row]! : row + 1
  }
  return rows.subarray(0, count)
}

export function describeRow(facts: RowFacts, row: number, glyphs: Glyphs, maxIndent: number): TreeRow {
  const { tree, layout, folded, trunk, leaf } = facts
  const ref = layout.refs[row]!
  const isTrunk = trunk[ref] === 1
  const isFolded = folded.has(ref) && layout.kids[row]! > 0
  const sign = isTrunk ? glyphs.trunk : row < layout.stashFrom ? glyphs.other : glyphs.stashed
  return {
    ref,
    lead: `${leadOf(layout, row, glyphs, maxIndent)}${isFolded ? glyphs.folded : ''}${sign} `,
    word: wordOf(tree, ref),
    notes: notesOf(facts, row, isFolded),
    isTrunk,
    isLeaf: ref === leaf,
    isMuted: tree.columns.has(ref, Flag.muted),
  }
}

/** From the inside out, over branches and not over nodes; what has no room is one sign. */
function leadOf({ parent, head, isLast }: TreeLayout, row: number, glyphs: Glyphs, maxIndent: number): string {
  let lead = ''
  for (let at = head[row]!; at >= 0; at = head[parent[at]!]!) {
    if (lead.length + 2 > maxIndent) return glyphs.cut + lead
    if (at === row) lead = isLast[at] === 1 ? glyphs.lastBranch : glyphs.branch
    else lead = (isLast[at] === 1 ? '  ' : glyphs.through) + lead
  }
  return lead
}

function notesOf({ tree, layout, leaf, previews, held }: RowFacts, row: number, isFolded: boolean): string {
  const { columns, edits, ids } = tree
  const ref = layout.refs[row]!
  const id = ids.textOf(ref)
  const notes: string[] = []
  if (id === held) notes.push(t('grafting'))
  if (ref === leaf) notes.push(t('leaf'))
  if (columns.has(ref, Flag.muted)) notes.push(t('muted'))
  if (columns.has(ref, Flag.generating)) notes.push(t('generating'))
  const badEnd = previews.badEndOf(ref)
  if (badEnd !== undefined) notes.push(badEndText(badEnd))
  if (row >= layout.stashFrom && layout.parent[row]! < 0) notes.push(t('pruned'))
  const kids = layout.kids[row]!
  if (kids > 1) notes.push(t('{count} branches', { count: numberText(kids) }))
  if (isFolded) notes.push(t('{count} below', { count: numberText(layout.end[row]! - row - 1) }))
  const label = edits.labels.get(id)?.label
  if (label !== undefined) notes.push(`#${previewColumns(label, LABEL_COLUMNS)}`)
  return notes.length === 0 ? '' : `(${notes.join(t(', '))}) `
}

function badEndText(end: BadEnd): string {
  return end === 'failed' ? t('failed') : t('cancelled')
}
