import { ROOT } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { Filter } from '../../drawing/tree-view.ts'
import { FilteredTree, type LaidOut } from './filtered-tree.ts'
import { findIndex } from './find-index.ts'
import { goTo, type ListMove, type ListState, moveList, START } from './list-state.ts'
import { PreviewCache } from './preview-cache.ts'
import { RowSearch } from './search-rows.ts'
import type { TreeLayout } from './tree-layout.ts'
import { type RowFacts, unfoldedRows } from './tree-rows.ts'

const NO_FOLDS: ReadonlySet<number> = new Set()

/** Somebody's way through a tree. Class: keys come faster than frames, and each must find what the one before left. */
export class TreeBrowser {
  filter: Filter = 'default'
  query = ''
  list: ListState = START
  previews: PreviewCache
  /** The node that is about to be hung elsewhere. */
  held: string | undefined
  private readonly session: Session
  private tree: Session['tree']
  private height: number
  private filtered: FilteredTree
  private base: LaidOut
  private shown: TreeLayout
  private rows: Int32Array
  private readonly folded = new Set<number>()
  private readonly finder = new RowSearch()
  /** How many wordless answers were known when the rows were laid out. */
  private wordlessSeen = 0
  /** Where the user went last; a search or filter that hides it does not make it forgotten. */
  private anchor: number

  constructor(session: Session, height: number) {
    this.session = session
    this.tree = session.tree
    this.previews = new PreviewCache(session)
    this.height = height
    this.filtered = new FilteredTree(session)
    this.base = this.layOut()
    this.shown = this.base.layout
    this.rows = unfoldedRows(this.shown, NO_FOLDS)
    this.anchor = this.base.leaf
    this.show(this.anchor)
  }

  /** How many rows there are to scroll through. */
  get length(): number {
    return this.rows.length
  }

  /** All that the filter shows, whether or not it is folded or found. */
  get searched(): Int32Array {
    return this.base.layout.refs
  }

  get isSearching(): boolean {
    return this.query.trim() !== ''
  }

  get facts(): RowFacts {
    const { tree, base, shown, previews, held } = this
    const { trunk, leaf } = base
    return { tree, layout: shown, folded: this.foldsNow, trunk, leaf, previews, held }
  }

  get chosen(): string | undefined {
    const ref = this.refAt(this.list.cursor)
    return ref === undefined ? undefined : this.tree.ids.textOf(ref)
  }

  /** The row of the layout at a place in the list. */
  rowAt(index: number): number {
    return this.rows[index]!
  }

  refAt(index: number): number | undefined {
    const row = this.rows[index]
    return row === undefined ? undefined : this.shown.refs[row]
  }

  resize(height: number): void {
    this.height = height
    this.list = goTo(this.list, this.list.cursor, this.length, height)
  }

  move(move: ListMove): void {
    this.list = moveList(this.list, move, this.length, this.height)
    this.anchor = this.refAt(this.list.cursor) ?? this.anchor
  }

  /** Hides what is below; where there is nothing to hide, goes up to what it hangs under. */
  fold(): void {
    const { kids, parent, refs } = this.shown
    const row = this.rows[this.list.cursor]
    if (row === undefined) return
    const canFold = !this.isSearching && kids[row]! > 0 && !this.folded.has(refs[row]!)
    if (canFold) this.folded.add(refs[row]!)
    else if (parent[row]! >= 0) this.anchor = refs[parent[row]!]!
    this.show(this.anchor)
  }

  /** Shows what is below; where it is shown already, goes down into it. */
  unfold(): void {
    const ref = this.refAt(this.list.cursor)
    if (ref === undefined) return
    if (!this.isSearching && this.folded.delete(ref)) this.show(ref)
    else if (this.shown.kids[this.rows[this.list.cursor]!]! > 0) this.move('down')
  }

  /** Asking for the filter that is on goes back to the usual one. */
  toggleFilter(filter: Filter): void {
    this.filter = this.filter === filter ? 'default' : filter
    this.base = this.layOut()
    this.show(this.anchor)
  }

  search(query: string): void {
    this.query = query
    this.show(this.anchor)
  }

  /** To be called when more previews were read. */
  takeFound(): void {
    if (this.hasOtherWordless) this.base = this.layOut()
    this.show(this.refAt(this.list.cursor) ?? this.anchor)
  }

  /**
   * Reads what is in sight. Without tools, answers that only call some go once they were read, and what comes into sight
   * in their place is read, too. False: nothing was missing.
   */
  async readInSight(): Promise<boolean> {
    // Further each time: where much goes, much has to be read until the window is full.
    for (let further = 0; ; further = further * 2 + this.height) {
      const { previews } = this
      const refs = this.refsToRead(further)
      if (refs.length === 0) return further > 0
      await previews.read(refs)
      if (previews !== this.previews || !this.hasOtherWordless) return true
      this.takeFound()
    }
  }

  /** What is about to be cut off is left, so that the cursor does not follow it to the stash. */
  stepOut(): void {
    const row = this.rows[this.list.cursor]
    const parent = row === undefined ? -1 : this.shown.parent[row]!
    if (parent >= 0) this.anchor = this.shown.refs[parent]!
  }

  /** Where the cursor is to be when the session has changed. */
  stayWith(nodeId: string): void {
    this.anchor = this.tree.ids.find(nodeId)
  }

  /** Takes in what happened to the session since. */
  refresh(): void {
    if (this.base.version === this.filtered.version) return
    if (this.tree !== this.session.tree) {
      // The log was written anew: the numbers of its nodes are others now.
      this.tree = this.session.tree
      this.previews = new PreviewCache(this.session)
      this.folded.clear()
      this.held = undefined
      this.filtered = new FilteredTree(this.session)
      this.anchor = ROOT
    }
    this.base = this.layOut()
    this.show(this.anchor)
  }

  private get hasOtherWordless(): boolean {
    return this.filter === 'no-tools' && this.previews.wordless.size !== this.wordlessSeen
  }

  private layOut(): LaidOut {
    const { wordless } = this.previews
    this.wordlessSeen = wordless.size
    return this.filtered.layOut(this.filter, wordless)
  }

  /** What is in sight and not read yet; beyond the end of the window at which that is, so many more. */
  private refsToRead(further: number): readonly number[] {
    const { top, cursor } = this.list
    const refsOf = (from: number, to: number) =>
      Array.from({ length: Math.max(0, to - from) }, (_, i) => this.refAt(from + i)!)
    const end = Math.min(this.length, top + this.height)
    const above = this.previews.missing(refsOf(top, cursor))
    const below = this.previews.missing(refsOf(cursor, end))
    const before = above.length === 0 ? [] : refsOf(Math.max(0, top - further), top)
    const after = below.length === 0 ? [] : refsOf(end, Math.min(this.length, end + further))
    return [...before, ...above, ...below, ...after]
  }

  private get foldsNow(): ReadonlySet<number> {
    return this.isSearching ? NO_FOLDS : this.folded
  }

  private show(ref: number): void {
    const { tree, query, previews } = this
    const { layout } = this.base
    this.shown = this.isSearching ? this.finder.find(tree, layout, query, previews) : layout
    this.rows = unfoldedRows(this.shown, this.foldsNow)
    this.list = goTo(this.list, findIndex(this.tree, this.shown, this.rows, ref), this.length, this.height)
  }
}
