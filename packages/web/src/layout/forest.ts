import { cutCycles } from './cut-cycles.ts'
import { GONE, type Places, STASH } from './to-places.ts'

/**
 * Slot of a place: two more. The two before them stand above the fragments and above the roots, so that tops are siblings
 * like any others. The first is nobody's child and means "none" wherever a child or a sibling is named.
 */
export const SLOT = 2
export const STASH_SLOT = 0
export const ROOT_SLOT = 1
export const NONE = 0

/** The tree as typed arrays by slot, with room for what is still to come. Changed in place by the functions below. */
export interface Forest {
  /** Slots in use. */
  end: number
  parent: Int32Array
  flags: Uint8Array
  firstChild: Int32Array
  lastChild: Int32Array
  next: Int32Array
  childCount: Int32Array
  /** Slot of the active leaf, or NONE. */
  leaf: number
  /** True while every parent stands before its children, so that a loop over slots goes from the top down. */
  isOrdered: boolean
}

export interface AddedNodes {
  readonly parent: Int32Array
  readonly flags: Uint8Array
}

export function createForest({ parent, flags, orders, leaf }: Places): Forest {
  const end = parent.length + SLOT
  const forest = emptyForest(roomFor(end))
  forest.end = end
  forest.flags.set(flags.subarray(0, parent.length), SLOT)
  for (let slot = SLOT; slot < end; slot++) {
    const above = slotAbove(parent[slot - SLOT]!, end)
    forest.parent[slot] = above
    if (above >= slot) forest.isOrdered = false
  }
  if (!forest.isOrdered) cutCycles(forest.parent, SLOT, end, ROOT_SLOT)
  for (let slot = end - 1; slot >= SLOT; slot--) if (parent[slot - SLOT] !== GONE) linkFirst(forest, slot)
  applyOrders(forest, orders)
  setLeaf(forest, leaf)
  return forest
}

/** Costs what is added, whatever stands already. A parent may be among the added, before its child. */
export function addNodes(forest: Forest, { parent, flags }: AddedNodes): void {
  const from = forest.end
  makeRoom(forest, from + parent.length)
  for (let i = 0; i < parent.length; i++) {
    const slot = from + i
    const above = slotAbove(parent[i]!, slot)
    forest.parent[slot] = above
    forest.flags[slot] = flags[i] ?? 0
    const before = forest.lastChild[above]!
    if (before === NONE) forest.firstChild[above] = slot
    else forest.next[before] = slot
    forest.lastChild[above] = slot
    forest.childCount[above]!++
    forest.end = slot + 1
  }
}

export function setFlags(forest: Forest, place: number, flags: number): void {
  if (isPlace(forest, place)) forest.flags[place + SLOT] = flags
}

export function setLeaf(forest: Forest, place: number): void {
  forest.leaf = isPlace(forest, place) ? place + SLOT : NONE
}

export function isPlace(forest: Forest, place: number): boolean {
  return Number.isInteger(place) && place >= 0 && place + SLOT < forest.end
}

function slotAbove(place: number, end: number): number {
  if (place >= 0 && place + SLOT < end) return place + SLOT
  return place === STASH || place === GONE ? STASH_SLOT : ROOT_SLOT
}

function linkFirst(forest: Forest, slot: number): void {
  const { parent, firstChild, lastChild, next, childCount } = forest
  const above = parent[slot]!
  const after = firstChild[above]!
  if (after === NONE) lastChild[above] = slot
  next[slot] = after
  firstChild[above] = slot
  childCount[above]!++
}

/** Children that an order does not name stay behind those it names. */
function applyOrders(forest: Forest, orders: Int32Array): void {
  const { end, parent, firstChild, next } = forest
  if (orders.length === 0) return
  const orderedBy = new Int32Array(end).fill(-1)
  for (let at = 0; at + 1 < orders.length; ) {
    const above = orders[at]! + SLOT
    const stop = Math.min(at + 2 + Math.max(0, orders[at + 1]!), orders.length)
    const listed: number[] = []
    const list = (slot: number): void => {
      if (slot < SLOT || slot >= end || parent[slot] !== above || orderedBy[slot] === at) return
      orderedBy[slot] = at
      listed.push(slot)
    }
    if (above >= STASH_SLOT && above < end) {
      for (let i = at + 2; i < stop; i++) list(orders[i]! + SLOT)
      for (let slot = firstChild[above]!; slot !== NONE; slot = next[slot]!) list(slot)
      linkInOrder(forest, above, listed)
    }
    at = stop
  }
}

function linkInOrder({ firstChild, lastChild, next }: Forest, above: number, slots: readonly number[]): void {
  firstChild[above] = slots[0] ?? NONE
  lastChild[above] = slots.at(-1) ?? NONE
  for (let i = 0; i < slots.length; i++) next[slots[i]!] = slots[i + 1] ?? NONE
}

function emptyForest(size: number): Forest {
  return {
    end: SLOT,
    parent: new Int32Array(size),
    flags: new Uint8Array(size),
    firstChild: new Int32Array(size),
    lastChild: new Int32Array(size),
    next: new Int32Array(size),
    childCount: new Int32Array(size),
    leaf: NONE,
    isOrdered: true,
  }
}

function makeRoom(forest: Forest, end: number): void {
  if (end <= forest.parent.length) return
  const larger = emptyForest(roomFor(end))
  for (const column of ['parent', 'flags', 'firstChild', 'lastChild', 'next', 'childCount'] as const) {
    larger[column].set(forest[column])
  }
  Object.assign(forest, { ...larger, end: forest.end, leaf: forest.leaf, isOrdered: forest.isOrdered })
}

function roomFor(end: number): number {
  return end + (end >>> 1) + 64
}
