import { Deferred } from '../codec/deferred.ts'
import { resized, roomier } from '../codec/heads.ts'

/** Above every root; also "no node". */
export const ROOT = 0
/** Parent of a node that hangs nowhere: the top of a fragment or of a deleted part. */
export const NOWHERE = -1

export const Flag = {
  /** A line, an announced generation or a copy stands behind this id. */
  known: 1,
  node: 2,
  muted: 4,
  /** Top of a fragment in the stash. */
  detached: 8,
  /** Top of a deleted part. */
  deleted: 16,
  generating: 32,
  /** Made by a copying graft: no line of its own. */
  copy: 64,
  /** Some line named this id as its parent before its own line came. */
  awaited: 128,
} as const

/** Owners and seats of all entries by ref, for the time in which a rebuild hides those whose line is still to come. */
export interface Settled {
  readonly owner: Int32Array
  readonly seat: Int32Array
}

/**
 * The tree as typed arrays, one place per id ("ref"). `rawParent` is what the log says; `parent` and the sibling links
 * hold nodes only and are what a person sees after all edits.
 */
export class Columns {
  /** After a restore: what was saved, `rowOf`, and the links below a parent, each when it is first looked at. */
  loading = new Deferred()
  filling = new Deferred()
  linking = new Deferred()
  private size: number
  private kinds: Uint8Array = new Uint8Array()
  private roles: Uint8Array = new Uint8Array()
  private flagged: Uint8Array = new Uint8Array()
  private rawParents: Int32Array = new Int32Array()
  private parents: Int32Array = new Int32Array()
  private rows: Int32Array = new Int32Array()
  private firsts: Int32Array = new Int32Array()
  private nexts: Int32Array = new Int32Array()
  private prevs: Int32Array = new Int32Array()
  /** What `topOf` was asked last, and said. */
  private askedRef = NOWHERE
  private askedTop = NOWHERE
  /** Set during a rebuild. */
  settled: Settled | undefined

  constructor(size = 1024) {
    this.size = size
    this.makeSaved()
    this.makeRows()
    this.makeLinks()
  }

  /**
   * Without room so far: each part of it is made by whoever fills it in. Memory that is asked for wakes the collector,
   * also when it is never touched.
   */
  static deferred(size: number): Columns {
    const columns = new Columns(0)
    columns.size = size
    return columns
  }

  makeSaved(): void {
    const { size } = this
    this.kinds = new Uint8Array(size)
    this.roles = new Uint8Array(size)
    this.flagged = new Uint8Array(size)
    this.rawParents = new Int32Array(size)
    this.parents = new Int32Array(size)
  }

  makeRows(): void {
    this.rows = new Int32Array(this.size)
  }

  makeLinks(): void {
    const { size } = this
    this.firsts = new Int32Array(size)
    this.nexts = new Int32Array(size)
    this.prevs = new Int32Array(size)
  }

  get kind(): Uint8Array {
    this.loading.run()
    return this.kinds
  }

  get role(): Uint8Array {
    this.loading.run()
    return this.roles
  }

  get flags(): Uint8Array {
    this.loading.run()
    return this.flagged
  }

  get rawParent(): Int32Array {
    this.loading.run()
    return this.rawParents
  }

  /** Of an entry that is not a node, its owner: see `ownerOf`. */
  get parent(): Int32Array {
    this.loading.run()
    return this.parents
  }

  /** Row of the line that counts for this id, -1 when there is none. */
  get rowOf(): Int32Array {
    this.filling.run()
    return this.rows
  }

  get firstChild(): Int32Array {
    this.linking.run()
    return this.firsts
  }

  /** Of a node, the sibling after it; of a last child, how many children there are, as a negative number. See `setSeat`. */
  get next(): Int32Array {
    this.linking.run()
    return this.nexts
  }

  /** Of a node, the sibling before it; of a first child, the last one. */
  get prev(): Int32Array {
    this.linking.run()
    return this.prevs
  }

  ensure(count: number): void {
    if (count <= this.size) return
    this.fillIn()
    const size = Math.max(count, roomier(this.size))
    this.size = size
    this.rows = resized(this.rows, size)
    this.kinds = resized(this.kinds, size)
    this.roles = resized(this.roles, size)
    this.flagged = resized(this.flagged, size)
    this.rawParents = resized(this.rawParents, size)
    this.parents = resized(this.parents, size)
    this.firsts = resized(this.firsts, size)
    this.nexts = resized(this.nexts, size)
    this.prevs = resized(this.prevs, size)
  }

  /** To be called before flags, kinds or parents change: what was put off follows from them as they were restored. */
  fillIn(): void {
    this.filling.run()
    this.linking.run()
  }

  clear(): void {
    this.askedRef = NOWHERE
    for (const column of [this.flags, this.rawParent, this.parent, this.firstChild, this.next, this.prev]) {
      column.fill(0)
    }
  }

  has(ref: number, flag: number): boolean {
    return (this.flags[ref]! & flag) !== 0
  }

  /** The nearest node at or above, along raw parents; ROOT when there is none. */
  ownerOf(ref: number): number {
    const flags = this.flags[ref]!
    if ((flags & Flag.node) !== 0) return ref
    return (flags & Flag.known) !== 0 ? this.inPlaceOf(this.parent[ref]!) : (this.settled?.owner[ref] ?? ROOT)
  }

  /**
   * For a copy that is taken away, the node it hung under: what was written under the copy belongs there until the copy
   * comes back. Entries that a rebuild hides have no parent yet and stand for themselves.
   */
  private inPlaceOf(ref: number): number {
    let at = ref
    while (at > ROOT && (this.flags[at]! & Flag.known) === 0 && this.parent[at] !== ROOT) at = this.parent[at]!
    return Math.max(ROOT, at)
  }

  /** Remembers where a copy hung that is no node any more. It is in nobody's links. */
  takeAway(ref: number, parent: number): void {
    this.askedRef = NOWHERE
    this.flags[ref] = 0
    this.parent[ref] = parent > ROOT ? parent : NOWHERE
  }

  /** For an entry that is not a node: it hangs nowhere, so the owner is kept where a node has its parent. */
  setOwner(ref: number, owner: number): void {
    this.parent[ref] = owner
  }

  /** The nearest entry at or above that is on a path: where the leaf is when the log ends here. */
  seatOf(ref: number): number {
    const flags = this.flags[ref]!
    if ((flags & Flag.known) === 0) return this.settled?.seat[ref] ?? ROOT
    return (flags & Flag.node) !== 0 || this.next[ref] === 0 ? ref : this.inPlaceOf(this.next[ref]! - 1)
  }

  /** The seat as it was set, also when it is a copy that has been taken away since. */
  storedSeatOf(ref: number): number {
    return this.next[ref] === 0 ? ref : this.next[ref]! - 1
  }

  /** For an entry that is not a node and not its own seat: kept, plus one, where a node has `next`. */
  setSeat(ref: number, seat: number): void {
    this.next[ref] = seat + 1
  }

  childCount(parent: number): number {
    const first = this.firstChild[parent]!
    return first === 0 ? 0 : -this.next[this.prev[first]!]!
  }

  /** Puts a node at the end of the children of `parent`. Its links are 0: in a chain there is little to write. */
  append(ref: number, parent: number): void {
    const first = this.firstChild[parent]!
    if (first === 0) {
      this.firstChild[parent] = ref
      this.prev[ref] = ref
      this.next[ref] = -1
    } else {
      const last = this.prev[first]!
      this.next[ref] = this.next[last]! - 1
      this.next[last] = ref
      this.prev[ref] = last
      this.prev[first] = ref
    }
    this.parent[ref] = parent
    if (this.firstChild[ref] !== 0) this.askedRef = NOWHERE
  }

  /** Puts a node among the children of `parent`: at the end, or at `index`. */
  insert(ref: number, parent: number, index = Number.POSITIVE_INFINITY): void {
    this.askedRef = NOWHERE
    if (index >= this.childCount(parent)) {
      this.append(ref, parent)
      return
    }
    const first = this.firstChild[parent]!
    const after = this.childAt(parent, index)
    const before = this.prev[after]!
    this.next[this.prev[first]!]!--
    this.parent[ref] = parent
    this.prev[ref] = before
    this.next[ref] = after
    this.prev[after] = ref
    if (after === first) this.firstChild[parent] = ref
    else this.next[before] = ref
  }

  /** Takes a node out from under its parent; it keeps its own children. */
  remove(ref: number): void {
    const parent = this.parent[ref]!
    if (parent === NOWHERE) return
    this.askedRef = NOWHERE
    const first = this.firstChild[parent]!
    const before = this.prev[ref]!
    const after = this.next[ref]!
    this.next[this.prev[first]!]!++
    if (after > 0) this.prev[after] = before
    else this.prev[first] = before
    if (ref === first) this.firstChild[parent] = Math.max(0, after)
    else this.next[before] = this.next[ref]!
    this.prev[ref] = 0
    this.next[ref] = 0
    this.parent[ref] = NOWHERE
  }

  /** Walks from the nearer end: an index near either end is cheap among 200,000 siblings. */
  private childAt(parent: number, index: number): number {
    const count = this.childCount(parent)
    let at = this.firstChild[parent]!
    if (index * 2 < count) for (let i = 0; i < index; i++) at = this.next[at]!
    else for (let i = count; i > index; i--) at = this.prev[at]!
    return at
  }

  /** Walks both ways at once, so that it is cheap near either end. */
  indexOf(ref: number): number {
    const parent = this.parent[ref]!
    if (parent === NOWHERE) return 0
    const first = this.firstChild[parent]!
    let before = ref
    let after = this.next[ref]!
    let steps = 0
    for (; before !== first && after > 0; steps++) {
      before = this.prev[before]!
      after = this.next[after]!
    }
    return before === first ? steps : this.childCount(parent) - 1 - steps
  }

  children(parent: number): number[] {
    const list: number[] = []
    for (let at = this.firstChild[parent]!; at > 0; at = this.next[at]!) list.push(at)
    return list
  }

  /** The node itself and everything below it, parents before children, siblings in order. */
  *subtree(top: number): Generator<number> {
    let at = top
    for (;;) {
      yield at
      if (this.firstChild[at] !== 0) {
        at = this.firstChild[at]!
        continue
      }
      while (at !== top && this.next[at]! <= 0) at = this.parent[at]!
      if (at === top) return
      at = this.next[at]!
    }
  }

  /** The last node met on the way up: an attached root, or the top of a fragment or deleted part. */
  topOf(ref: number): number {
    const { parent } = this
    let at = ref
    // An append asks about the node the one before it added: the way up from there is known.
    while (parent[at]! > ROOT && at !== this.askedRef) at = parent[at]!
    if (at === this.askedRef) at = this.askedTop
    this.askedRef = ref
    this.askedTop = at
    return at
  }

  isAttached(ref: number): boolean {
    return ref === ROOT || this.parent[this.topOf(ref)] === ROOT
  }

  isWithin(ref: number, top: number): boolean {
    let at = ref
    while (at > ROOT && at !== top) at = this.parent[at]!
    return at === top
  }
}
