import { Deferred } from '../codec/deferred.ts'
import { Columns, Flag, NOWHERE, ROOT } from './columns.ts'
import { EntryPages } from './entry-pages.ts'
import { eachPair } from './runs.ts'
import { refuseSaved } from './saved-json.ts'
import type { SectionReader, SectionWriter } from './sections.ts'

/**
 * Saves the tree itself. Sibling links are not saved: they follow from the parents, except where an edit changed the
 * order of children.
 */
export function saveColumns(to: SectionWriter, columns: Columns, count: number): void {
  const { parent, next } = columns
  const seats: number[] = []
  const reordered = new Set<number>()
  for (let ref = 1; ref < count; ref++) {
    if (columns.has(ref, Flag.node)) {
      const after = next[ref]!
      if (after > ROOT && after < ref) reordered.add(parent[ref]!)
    } else if (columns.has(ref, Flag.known)) {
      const seat = columns.storedSeatOf(ref)
      if (seat !== ref) seats.push(ref, seat)
    }
  }
  // Copies of what edits may change: a snapshot stays as it is while the tree goes on.
  to.add('kinds', columns.kind.slice(0, count))
  to.add('roles', columns.role.slice(0, count))
  to.add('flags', columns.flags.slice(0, count))
  to.add('rawParents', columns.rawParent.slice(0, count))
  to.add('parents', parent.slice(0, count))
  to.add('seats', Int32Array.from(seats))
  to.add('orders', Int32Array.from([...reordered].flatMap((above) => listOrder(columns, above))))
}

function listOrder(columns: Columns, parent: number): number[] {
  return [parent, columns.childCount(parent), ...columns.children(parent)]
}

export function restoreColumns(
  from: SectionReader,
  count: number,
  room: number,
): { readonly columns: Columns; readonly entries: EntryPages } {
  const columns = Columns.deferred(room)
  columns.loading = new Deferred(() => {
    columns.makeSaved()
    from.fill('kinds', columns.kind, count)
    from.fill('roles', columns.role, count)
    from.fill('flags', columns.flags, count)
    from.fill('rawParents', columns.rawParent, count)
    from.fill('parents', columns.parent, count)
    checkParents(columns, count)
  })
  const seats = from.readInts('seats')
  const orders = from.readInts('orders')
  columns.linking = new Deferred(() => {
    columns.makeLinks()
    checkSeats(seats, columns.flags, count)
    linkNodes(columns, count)
    eachPair(seats, count, (ref, seat) => columns.setSeat(ref, seat))
    restoreOrders(columns, orders, count)
  })
  return { columns, entries: new EntryPages(from, count, seats) }
}

function checkSeats(seats: Int32Array, flags: Uint8Array, count: number): void {
  if (seats.length % 2 !== 0) refuseSaved('a seat is missing')
  for (let i = 0; i < seats.length; i += 2) {
    const ref = seats[i]!
    const seat = seats[i + 1]!
    const isInside = ref > ROOT && ref < count && seat >= ROOT && seat < count
    if (!isInside || (flags[ref]! & Flag.node) !== 0) refuseSaved('a seat that cannot be')
  }
}

/** Before anything follows a parent: none is out of range, none leads back to where it started. */
function checkParents(columns: Columns, count: number): void {
  const { flags, rawParent, parent: parents } = columns
  let isLate = 0
  for (let ref = 1; ref < count; ref++) {
    const above = rawParent[ref]!
    const parent = parents[ref]!
    if (above < ROOT || above >= count || parent < NOWHERE || parent >= count) refuseSaved('a parent out of range')
    if (above >= ref) isLate = 1
    if (isAside(flags[ref]!)) {
      // An owner: nobody goes on up from here.
      if (parent === NOWHERE) refuseSaved('a lost owner')
    } else {
      if (parent >= ref) isLate = 1
      if (parent > ROOT && isAside(flags[parent]!)) refuseSaved('a parent that is no node')
    }
  }
  // Where everything above an entry has a lower number there is no ring.
  if (isLate === 1 && (hasRing(rawParent, count) || hasRing(parents, count))) refuseSaved('a ring of parents')
}

function isAside(flags: number): boolean {
  return (flags & (Flag.known | Flag.node)) === Flag.known
}

/** As `append` would do it one by one. */
function linkNodes(columns: Columns, count: number): void {
  const { flags, parent: parents, firstChild, next, prev } = columns
  for (let ref = 1; ref < count; ref++) {
    const parent = parents[ref]!
    if ((flags[ref]! & Flag.node) === 0 || parent === NOWHERE) continue
    const first = firstChild[parent]!
    if (first === 0) {
      firstChild[parent] = ref
      prev[ref] = ref
      next[ref] = -1
    } else {
      const last = prev[first]!
      next[ref] = next[last]! - 1
      next[last] = ref
      prev[ref] = last
      prev[first] = ref
    }
  }
}

/** A ring has a member whose parent has a higher number. Each ref is walked over once. */
function hasRing(above: Int32Array, count: number): boolean {
  const walks = new Int32Array(count)
  for (let ref = 1; ref < count; ref++) {
    if (above[ref]! < ref) continue
    let at = ref
    for (; at > ROOT && walks[at] === 0; at = above[at]!) walks[at] = ref
    if (at > ROOT && walks[at] === ref) return true
  }
  return false
}

/** Takes all children of a parent away and puts them back as listed, which also proves the list complete. */
function restoreOrders(columns: Columns, orders: Int32Array, count: number): void {
  for (let at = 0; at < orders.length; ) {
    const parent = orders[at]!
    const size = orders[at + 1]!
    const children = orders.subarray(at + 2, at + 2 + size)
    at += 2 + children.length
    if (!(parent >= ROOT && parent < count && size > 0 && children.length === size))
      refuseSaved('an order that cannot be')
    for (const child of children) {
      if (!(child > ROOT && child < count && columns.has(child, Flag.node) && columns.parent[child] === parent)) {
        refuseSaved('an order that names a stranger')
      }
      columns.remove(child)
    }
    if (columns.firstChild[parent] !== 0) refuseSaved('an order that leaves a child out')
    for (const child of children) columns.append(child, parent)
  }
}
