import { Flag, ROOT } from '@treeline/core'
import type { Session } from '@treeline/store'
import { type Begun, beginWith, splitBegun } from './begin-with.ts'
import type { SlashCommand } from './slash-command.ts'

/** However large the tree is, no more of it is looked at with a key. */
const MAX_LOOKED_AT = 500
const MAX_LISTED = 50
/** As ids are shown: whole where they are short, else by their end. */
const WHOLE_CHARS = 12
const END_CHARS = 8

/** Which nodes come into question, newest first. */
const LISTS = { trunk: trunkNodes, ends: branchEnds, muted: mutedNodes, stash: stashedTops } as const

interface NodeOffer {
  /** What may stand in the first place instead. */
  readonly words?: readonly string[]
  readonly list?: keyof typeof LISTS
}

/** For an argument that names nodes: in its first word, or in every one. */
export function completeNodes(
  where: 'first' | 'every',
  { words = [], list = 'trunk' }: NodeOffer = {},
): NonNullable<SlashCommand['complete']> {
  return async ({ session }, typed) => {
    const begun = splitBegun(typed)
    if (where === 'first' && begun.words.length > 0) return []
    return beginWith(begun, [...(begun.words.length === 0 ? words : []), ...offerNodes(session, list, begun)])
  }
}

/** Labels first, because people know them; an id in the form that is being typed. */
export function* offerNodes(session: Session, list: keyof typeof LISTS, { word }: Begun): Generator<string> {
  const { edits, ids } = session.tree
  if (list !== 'stash') {
    for (const { label } of take(edits.labels.values(), MAX_LISTED)) if (/^\S+$/.test(label)) yield label
  }
  for (const ref of take(LISTS[list](session), MAX_LISTED)) {
    const id = ids.textOf(ref)
    const isTypedWhole = word !== '' && id.startsWith(word)
    yield id.length <= WHOLE_CHARS || isTypedWhole ? id : id.slice(-END_CHARS)
  }
}

function* trunkNodes({ tree: { columns, ids }, leafId }: Session): Generator<number> {
  let ref = leafId === null ? ROOT : columns.ownerOf(Math.max(ROOT, ids.find(leafId)))
  for (let i = 0; i < MAX_LOOKED_AT && ref > ROOT; i++) {
    yield ref
    ref = columns.parent[ref]!
  }
}

function* mutedNodes(session: Session): Generator<number> {
  for (const ref of trunkNodes(session)) if (session.tree.columns.has(ref, Flag.muted)) yield ref
}

/** Of those that were written last. */
function* branchEnds({ tree }: Session): Generator<number> {
  const { columns, rowCount } = tree
  for (let row = rowCount - 1; row >= Math.max(0, rowCount - MAX_LOOKED_AT); row--) {
    const ref = tree.refAtRow(row)
    if (columns.has(ref, Flag.node) && columns.firstChild[ref] === 0 && columns.isAttached(ref)) yield ref
  }
}

function stashedTops({ tree }: Session): Iterable<number> {
  return [...tree.edits.fragments.keys()].reverse()
}

function* take<T>(items: Iterable<T>, count: number): Generator<T> {
  let left = count
  for (const item of items) {
    if (left-- <= 0) return
    yield item
  }
}
