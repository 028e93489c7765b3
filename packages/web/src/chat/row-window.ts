import { createStore } from '../state/store.ts'
import { doesScroll, MOVES } from './reader-moves.ts'
import { RowHeights } from './row-heights.ts'

/** Rows that are in the page, and how much room the others take. */
export interface Shown {
  readonly first: number
  /** Behind the last. */
  readonly end: number
  readonly above: number
  readonly below: number
  readonly isAtBottom: boolean
}

/** A row that stays where the reader sees it, whatever happens above. */
interface Anchor {
  readonly key: string
  readonly index: number
  /** From the top edge of what is seen. */
  readonly offset: number
}

/** Rows this far outside of what is seen are in the page already. */
const MARGIN = 700

/**
 * Keeps a long list of rows of unknown heights in a scrolling element: only those near the eye exist. What the reader looks
 * at stays put when rows are loaded, measured or changed above it; who is at the bottom stays at the bottom.
 */
export class RowWindow {
  readonly shown = createStore<Shown>({ first: 0, end: 0, above: 0, below: 0, isAtBottom: true })
  private readonly heights = new RowHeights()
  private readonly rows = new Map<string, HTMLElement>()
  private readonly keyOf = new WeakMap<Element, string>()
  private readonly sizes = new ResizeObserver((entries) => this.measure(entries))
  private scroller: HTMLElement | undefined
  private anchor: Anchor | undefined
  private isStuck = true
  /** The anchor was looked for, and stays until the reader moves. */
  private isSought = false
  /** The reader has done something that scrolls. Pages scroll by themselves too: what is above it grew, or all of it shrank. */
  private isMoving = false
  private readonly sticks: boolean
  private lastTop = 0

  /** Who does not stick begins at the bottom too, until `release`. */
  constructor({ sticks = true }: { readonly sticks?: boolean } = {}) {
    this.sticks = sticks
  }

  attach(scroller: HTMLElement): () => void {
    this.scroller = scroller
    const onScroll = (): void => this.onScroll()
    const onMove = (event: Event): void => {
      if (doesScroll(event, scroller)) this.isMoving = true
    }
    scroller.addEventListener('scroll', onScroll, { passive: true })
    for (const move of MOVES) window.addEventListener(move, onMove, { passive: true, capture: true })
    this.sizes.observe(scroller)
    // Back from another view: the rows are those that were seen last.
    this.settle()
    return () => {
      scroller.removeEventListener('scroll', onScroll)
      for (const move of MOVES) window.removeEventListener(move, onMove, { capture: true })
      this.sizes.disconnect()
      this.scroller = undefined
    }
  }

  /** A row that is in the page. Gives a function that takes note when it goes. */
  watch(key: string, element: HTMLElement): () => void {
    this.rows.set(key, element)
    this.keyOf.set(element, key)
    this.sizes.observe(element)
    return () => {
      this.rows.delete(key)
      this.sizes.unobserve(element)
    }
  }

  setKeys(keys: readonly string[]): void {
    this.heights.setKeys(keys)
    this.choose()
  }

  /** After rows were drawn: puts the reader back where they were. */
  settle(): void {
    const { scroller } = this
    if (scroller === undefined) return
    if (this.isStuck && !this.isSought) scroller.scrollTop = scroller.scrollHeight
    else if (this.anchor !== undefined) this.holdAt(scroller, this.anchor)
    this.lastTop = scroller.scrollTop
    if (!this.sticks || (this.isStuck && !this.isSought)) return
    const isAtBottom = this.hasShrunk(scroller)
    if (isAtBottom === this.isStuck) return
    this.isStuck = isAtBottom
    this.choose()
  }

  /** Brings a row to the top edge. False when there is none of that key. */
  scrollTo(key: string): boolean {
    const index = this.heights.indexOf(key)
    if (index < 0) return false
    this.isStuck = false
    this.isSought = true
    this.isMoving = false
    this.anchor = { key, index, offset: 12 }
    if (this.scroller !== undefined) this.scroller.scrollTop = this.heights.top(index) - 12
    this.choose()
    this.settle()
    return true
  }

  /** What is seen now stays, whatever comes. */
  release(): void {
    if (this.scroller === undefined) return
    this.isStuck = false
    this.isSought = false
    this.anchor = this.findAnchor(this.scroller.scrollTop)
  }

  stickToBottom(): void {
    this.isStuck = true
    this.isSought = false
    if (this.scroller !== undefined) this.scroller.scrollTop = this.heights.total + this.scroller.clientHeight
    this.choose()
    this.settle()
  }

  /** What shrinks can end where the reader is. Only once all of it is drawn: before that everything ends early. */
  private hasShrunk({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
    return scrollHeight >= Math.floor(this.heights.total) && scrollHeight - scrollTop - clientHeight < 2
  }

  private holdAt(scroller: HTMLElement, { key, index, offset }: Anchor): void {
    const element = this.rows.get(key)
    const known = this.heights.indexOf(key)
    // A sibling that took its place stands in for one that is gone.
    const top = element?.offsetTop ?? this.heights.top(known >= 0 ? known : index)
    if (Math.abs(top - offset - scroller.scrollTop) >= 1) scroller.scrollTop = top - offset
  }

  private onScroll(): void {
    const { scroller } = this
    if (scroller === undefined) return
    const { scrollTop, scrollHeight, clientHeight } = scroller
    // The echo of our own scrolling: the reader has not moved.
    if (Math.abs(scrollTop - this.lastTop) < 1) return
    if (this.isSought && !this.isMoving) {
      this.settle()
      return
    }
    const left = scrollHeight - scrollTop - clientHeight
    this.isSought = false
    // Text that arrives makes the way to the bottom longer; only who scrolls up has left it.
    if (!this.sticks) this.isStuck = false
    else if (scrollTop < this.lastTop - 1) this.isStuck = left < 2
    else if (left < 24) this.isStuck = true
    this.lastTop = scrollTop
    this.anchor = this.findAnchor(scrollTop)
    this.choose()
  }

  private findAnchor(scrollTop: number): Anchor | undefined {
    const { first, end } = this.shown.get()
    for (let index = first; index < end; index++) {
      const key = this.heights.keyAt(index)
      const element = key === undefined ? undefined : this.rows.get(key)
      if (element === undefined) continue
      const { offsetTop, offsetHeight } = element
      if (offsetTop + offsetHeight > scrollTop) return { key: key!, index, offset: offsetTop - scrollTop }
    }
    // Scrolled past everything that is in the page, by the scroll bar.
    const index = this.heights.indexAt(scrollTop)
    const key = this.heights.keyAt(index)
    return key === undefined ? undefined : { key, index, offset: this.heights.top(index) - scrollTop }
  }

  private measure(entries: readonly ResizeObserverEntry[]): void {
    let isChanged = false
    for (const { target } of entries) {
      const key = this.keyOf.get(target)
      if (key === undefined) isChanged = true
      else if (this.rows.get(key) === target) {
        const { height } = target.getBoundingClientRect()
        if (this.heights.measure(key, height)) isChanged = true
      }
    }
    if (!isChanged) return
    this.settle()
    this.choose()
  }

  /** The height at which the reader is, as it will be once everything is drawn. */
  private topOfView(height: number): number {
    const { heights, anchor } = this
    if (this.isStuck && !this.isSought) return heights.total - height
    if (anchor === undefined) return this.scroller?.scrollTop ?? 0
    const known = heights.indexOf(anchor.key)
    return heights.top(known >= 0 ? known : anchor.index) - anchor.offset
  }

  private choose(): void {
    const { scroller, heights } = this
    const height = scroller?.clientHeight ?? 800
    const from = this.topOfView(height)
    const first = heights.count === 0 ? 0 : heights.indexAt(from - MARGIN)
    const end = heights.count === 0 ? 0 : heights.indexAt(from + height + MARGIN) + 1
    const before = this.shown.get()
    const above = heights.top(first)
    const below = heights.total - heights.top(end)
    const isSame = before.first === first && before.end === end && before.above === above && before.below === below
    if (isSame && before.isAtBottom === this.isStuck) return
    this.shown.set({ first, end, above, below, isAtBottom: this.isStuck })
  }
}
