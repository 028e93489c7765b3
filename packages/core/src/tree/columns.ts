import { resized } from '../codec/heads.ts'

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

/**
 * The tree as typed arrays, one place per id ("ref"). `rawParent` is what the log says; `parent` and the sibling links
 * hold nodes only and are what a person sees after all edits.
 */
export class Columns {
  /** Row of the line that counts for this id, -1 when there is none. */
  rowOf: Int32Array
  kind: Uint8Array
  role: Uint8Array
  flags: Uint8Array
  rawParent: Int32Array
  /** See `ownerOf`; kept for entries that are not nodes. */
  owner: Int32Array
  /** See `seatOf`; kept, plus one, for entries that are not their own seat. */
  private seat: Int32Array
  parent: Int32Array
  firstChild: Int32Array
  lastChild: Int32Array
  next: Int32Array
  prev: Int32Array
  childCount: Uint32Array

  constructor(size = 1024) {
    this.rowOf = new Int32Array(size)
    this.kind = new Uint8Array(size)
    this.role = new Uint8Array(size)
    this.flags = new Uint8Array(size)
    this.rawParent = new Int32Array(size)
    this.owner = new Int32Array(size)
    this.seat = new Int32Array(size)
    this.parent = new Int32Array(size)
    this.firstChild = new Int32Array(size)
    this.lastChild = new Int32Array(size)
    this.next = new Int32Array(size)
    this.prev = new Int32Array(size)
    this.childCount = new Uint32Array(size)
  }

  ensure(count: number): void {
    if (count <= this.kind.length) return
    const size = Math.max(count, this.kind.length * 2)
    this.rowOf = resized(this.rowOf, size)
    this.kind = resized(this.kind, size)
    this.role = resized(this.role, size)
    this.flags = resized(this.flags, size)
    this.rawParent = resized(this.rawParent, size)
    this.owner = resized(this.owner, size)
    this.seat = resized(this.seat, size)
    this.parent = resized(this.parent, size)
    this.firstChild = resized(this.firstChild, size)
    this.lastChild = resized(this.lastChild, size)
    this.next = resized(this.next, size)
    this.prev = resized(this.prev, size)
    this.childCount = resized(this.childCount, size)
  }

  clear(): void {
    for (const column of [this.flags, this.rawParent, this.owner, this.parent, this.firstChild, this.lastChild]) {
      column.fill(0)
    }
    for (const column of [this.seat, this.next, this.prev, this.childCount]) column.fill(0)
  }

  has(ref: number, flag: number): boolean {
    return (this.flags[ref]! & flag) !== 0
  }

  /** The nearest node at or above, along raw parents; ROOT when there is none. */
  ownerOf(ref: number): number {
    return (this.flags[ref]! & Flag.node) !== 0 ? ref : this.owner[ref]!
  }

  /** The nearest entry at or above that is on a path: where the leaf is when the log ends here. */
  seatOf(ref: number): number {
    const seat = this.seat[ref]!
    if (seat !== 0) return seat - 1
    return (this.flags[ref]! & Flag.known) !== 0 ? ref : ROOT
  }

  setSeat(ref: number, seat: number): void {
    this.seat[ref] = seat + 1
  }

  /** Puts a node at the end of the children of `parent`. Its links are 0: in a chain there is little to write. */
  append(ref: number, parent: number): void {
    const last = this.lastChild[parent]!
    if (last === 0) this.firstChild[parent] = ref
    else {
      this.prev[ref] = last
      this.next[last] = ref
    }
    this.parent[ref] = parent
    this.lastChild[parent] = ref
    this.childCount[parent]!++
  }

  /** Puts a node among the children of `parent`: at the end, or at `index`. */
  insert(ref: number, parent: number, index = Number.POSITIVE_INFINITY): void {
    if (index >= this.childCount[parent]!) {
      this.append(ref, parent)
      return
    }
    const after = this.childAt(parent, index)
    const before = this.prev[after]!
    this.parent[ref] = parent
    this.prev[ref] = before
    this.next[ref] = after
    this.prev[after] = ref
    if (before === 0) this.firstChild[parent] = ref
    else this.next[before] = ref
    this.childCount[parent]!++
  }

  /** Takes a node out from under its parent; it keeps its own children. */
  remove(ref: number): void {
    const parent = this.parent[ref]!
    if (parent === NOWHERE) return
    const before = this.prev[ref]!
    const after = this.next[ref]!
    if (before === 0) this.firstChild[parent] = after
    else this.next[before] = after
    if (after === 0) this.lastChild[parent] = before
    else this.prev[after] = before
    this.prev[ref] = 0
    this.next[ref] = 0
    this.parent[ref] = NOWHERE
    this.childCount[parent]!--
  }

  /** Walks from the nearer end: an index near either end is cheap among 200,000 siblings. */
  private childAt(parent: number, index: number): number {
    const count = this.childCount[parent]!
    let at: number
    if (index * 2 < count) {
      at = this.firstChild[parent]!
      for (let i = 0; i < index; i++) at = this.next[at]!
    } else {
      at = this.lastChild[parent]!
      for (let i = count - 1; i > index; i--) at = this.prev[at]!
    }
    return at
  }

  /** Walks both ways at once, so that it is cheap near either end. */
  indexOf(ref: number): number {
    let before = this.prev[ref]!
    let after = this.next[ref]!
    let steps = 0
    for (; before !== 0 && after !== 0; steps++) {
      before = this.prev[before]!
      after = this.next[after]!
    }
    return before === 0 ? steps : this.childCount[this.parent[ref]!]! - 1 - steps
  }

  children(parent: number): number[] {
    const list: number[] = []
    for (let at = this.firstChild[parent]!; at !== 0; at = this.next[at]!) list.push(at)
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
      while (at !== top && this.next[at] === 0) at = this.parent[at]!
      if (at === top) return
      at = this.next[at]!
    }
  }

  /** The last node met on the way up: an attached root, or the top of a fragment or deleted part. */
  topOf(ref: number): number {
    let at = ref
    while (this.parent[at]! > ROOT) at = this.parent[at]!
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
