/**
 * The children of every node, in order. As they came they stand in two arrays of numbers; a list of its own is made only
 * for a node whose children change. Of a hundred thousand nodes hardly one does, and as many lists are what opening them
 * would wait for.
 */
export class ChildLists {
  /** Where the children of a place begin in `listed`; they end where those of the next one begin. */
  private readonly starts: Int32Array
  private readonly listed: Int32Array
  private readonly changed = new Map<number, number[]>()

  /** From the parent of each place; whatever is below nothing has none. */
  constructor(parent: ArrayLike<number>) {
    const { length } = parent
    const starts = new Int32Array(length + 1)
    for (let place = 0; place < length; place++) if (isPlace(parent[place]!, length)) starts[parent[place]! + 1]!++
    for (let place = 0; place < length; place++) starts[place + 1]! += starts[place]!
    const listed = new Int32Array(starts[length]!)
    const ends = starts.slice(0, length)
    for (let place = 0; place < length; place++) {
      const above = parent[place]!
      if (isPlace(above, length)) listed[ends[above]!++] = place
    }
    this.starts = starts
    this.listed = listed
  }

  of(place: number): readonly number[] {
    return this.changed.get(place) ?? this.asCame(place)
  }

  count(place: number): number {
    return this.changed.get(place)?.length ?? this.end(place) - this.start(place)
  }

  /** The list itself, to be changed. */
  own(place: number): number[] {
    const list = this.changed.get(place) ?? this.asCame(place)
    this.changed.set(place, list)
    return list
  }

  set(place: number, children: number[]): void {
    this.changed.set(place, children)
  }

  /** Lists that may stand otherwise than as their nodes came. */
  ownLists(): Iterable<readonly [place: number, children: readonly number[]]> {
    return this.changed
  }

  private asCame(place: number): number[] {
    return Array.from(this.listed.subarray(this.start(place), this.end(place)))
  }

  private start(place: number): number {
    return this.starts[place] ?? 0
  }

  /** Of a place that came later: nowhere, where it also begins. */
  private end(place: number): number {
    return this.starts[place + 1] ?? this.start(place)
  }
}

function isPlace(value: number, length: number): boolean {
  return value >= 0 && value < length
}
