import { ROOT } from '@treeline/core'

/** Of a child or sibling that is not there. */
const NONE = ROOT

/** A tree by refs: parent to first child, child to next sibling; 0 or less where there is none. */
export interface Links {
  readonly first: Int32Array
  readonly next: Int32Array
}

export function childrenOf({ first, next }: Links, ref: number): number[] {
  const list: number[] = []
  for (let at = first[ref]!; at > NONE; at = next[at]!) list.push(at)
  return list
}

/** Links to be filled, child by child. */
export class LinkBuilder implements Links {
  readonly first: Int32Array
  readonly next: Int32Array
  private readonly last: Int32Array

  constructor(size: number) {
    this.first = new Int32Array(size)
    this.next = new Int32Array(size)
    this.last = new Int32Array(size)
  }

  /** Puts a ref behind the children that are there. False when it is the first. */
  append(ref: number, above: number): boolean {
    const { first, last } = this
    const isFirst = first[above] === NONE
    if (isFirst) first[above] = ref
    else this.next[last[above]!] = ref
    last[above] = ref
    return !isFirst
  }
}
