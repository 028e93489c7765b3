/**
 * The children of every node, in order. As they came they stand in two arrays of numbers; a list of its own is made only
 * for a node whose children change. Of a hundred thousand nodes hardly one does, and as many lists are what opening them
 * would wait for. The two arrays are made when somebody asks, which is after the tree was handed on to be laid out.
 */
export class ChildLists {
  private readonly parent: ArrayLike<number>
  private asTheyCame: Listed | undefined
  private readonly changed = new Map<number, number[]>()

  /** From the parent of each place, which are kept and stay as they are; whatever is below nothing has none. */
  constructor(parent: ArrayLike<number>) {
    this.parent = parent
  }

  of(place: number): readonly number[] {
    return this.changed.get(place) ?? this.asCame(place)
  }

  count(place: number): number {
    return this.changed.get(place)?.length ?? this.countAsCame(place)
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
    // One that came later has none but those of its own list.
    if (place < 0 || place >= this.parent.length) return []
    const { starts, children } = this.listed()
    return Array.from(children.subarray(starts[place], starts[place + 1]))
  }

  private countAsCame(place: number): number {
    if (place < 0 || place >= this.parent.length) return 0
    const { starts } = this.listed()
    return starts[place + 1]! - starts[place]!
  }

  private listed(): Listed {
    this.asTheyCame ??= listChildren(this.parent)
    return this.asTheyCame
  }
}

interface Listed {
  /** Where the children of a place begin in `children`; they end where those of the next one begin. */
  readonly starts: Int32Array
  readonly children: Int32Array
}

function listChildren(parent: ArrayLike<number>): Listed {
  const { length } = parent
  const starts = new Int32Array(length + 1)
  for (let place = 0; place < length; place++) if (isPlace(parent[place]!, length)) starts[parent[place]! + 1]!++
  for (let place = 0; place < length; place++) starts[place + 1]! += starts[place]!
  const children = new Int32Array(starts[length]!)
  const ends = starts.slice(0, length)
  for (let place = 0; place < length; place++) {
    const above = parent[place]!
    if (isPlace(above, length)) children[ends[above]!++] = place
  }
  return { starts, children }
}

function isPlace(value: number, length: number): boolean {
  return value >= 0 && value < length
}
