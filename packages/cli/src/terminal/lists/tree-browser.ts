import { ROOT } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { Filter } from '../../drawing/tree-view.ts'
import { FilteredTree, type LaidOut } from './filtered-tree.ts'
import { findIndex } from './find-index.ts'
import { goTo, type ListMove, type ListState, moveList, START } from './list-state.ts'
import { PreviewCache } from './preview-cache.ts'
import { searchRows, wordsOf } from './search-rows.ts'
import { keepRows, type TreeLayout } from './tree-layout.ts'
import { type RowFacts, unfoldedRows } from './tree-rows.ts'

const NO_FOLDS: ReadonlySet<number> = new Set()

/** Somebody's way through a tree. Class: keys come faster than frames, and each must find what the one before left. */
export class TreeBrowser {
  filter: Filter = 'default'
  query = ''
  list: ListState = START
  previews: PreviewCache
  private readonly session: Session
  private tree: Session['tree']
  private height: number
  private filtered: FilteredTree
  private base: LaidOut
  private shown: TreeLayout
  private rows: Int32Array
  private readonly folded = new Set<number>()
  /** Where the user went last; a search or filter that hides it does not make it forgotten. */
  private anchor: number

  constructor(session: Session, height: number) {
    this.session = session
    this.tree = session.tree
    this.previews = new PreviewCache(session)
    this.height = height
    this.filtered = new FilteredTree(session)
    this.base = this.filtered.layOut(this.filter)
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
    const { tree, base, shown } = this
    return { tree, layout: shown, folded: this.foldsNow, trunk: base.trunk, leaf: base.leaf }
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
    this.base = this.filtered.layOut(this.filter)
    this.show(this.anchor)
  }

  search(query: string): void {
    this.query = query
    this.show(this.anchor)
  }

  /** To be called when more previews were read. */
  takeFound(): void {
    this.show(this.refAt(this.list.cursor) ?? this.anchor)
  }

  /** What is about to be cut off is left, so that the cursor does not follow it to the stash. */
  stepOut(): void {
    const row = this.rows[this.list.cursor]
    const parent = row === undefined ? -1 : this.shown.parent[row]!
    if (parent >= 0) this.anchor = this.shown.refs[parent]!
  }

  /** Takes in what happened to the session since. */
  refresh(): void {
    if (this.base.version === this.filtered.version) return
    if (this.tree !== this.session.tree) {
      // The log was written anew: the numbers of its nodes are others now.
      this.tree = this.session.tree
      this.previews = new PreviewCache(this.session)
      this.folded.clear()
      this.filtered = new FilteredTree(this.session)
      this.anchor = ROOT
    }
    this.base = this.filtered.layOut(this.filter)
    this.show(this.anchor)
  }

  /** Without tools, answers that only call some go once they were read. False: nothing new. */
  async leaveOutWordless(): Promise<boolean> {
    const { filtered, filter } = this
    if (filter !== 'no-tools' || !(await filtered.readWordless()) || this.filtered !== filtered) return false
    this.base = filtered.layOut(this.filter)
    this.takeFound()
    return true
  }

  private get foldsNow(): ReadonlySet<number> {
    return this.isSearching ? NO_FOLDS : this.folded
  }

  private show(ref: number): void {
    const words = wordsOf(this.query)
    const { layout } = this.base
    this.shown = words.length === 0 ? layout : keepRows(layout, searchRows(this.tree, layout, words, this.previews))
    this.rows = unfoldedRows(this.shown, this.foldsNow)
    this.list = goTo(this.list, findIndex(this.tree, this.shown, this.rows, ref), this.length, this.height)
  }
}
