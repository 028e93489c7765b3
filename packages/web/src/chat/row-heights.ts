/** Of a row that was never on screen. A wrong guess is put right before it is seen. */
const GUESS = 140

/** Where rows stand, one under the other: as they were measured, and guessed where they were not. */
export class RowHeights {
  private keys: readonly string[] = []
  private readonly measured = new Map<string, number>()
  /** `tops[i]` is where row i begins; right up to and with `validTo`. */
  private tops = new Float64Array(1)
  private validTo = 0

  get count(): number {
    return this.keys.length
  }

  setKeys(keys: readonly string[]): void {
    if (keys === this.keys) return
    let same = 0
    while (same < keys.length && keys[same] === this.keys[same]) same++
    this.keys = keys
    this.validTo = Math.min(this.validTo, same)
    if (this.tops.length > keys.length) return
    const wider = new Float64Array(keys.length * 2 + 1)
    wider.set(this.tops.subarray(0, this.validTo + 1))
    this.tops = wider
  }

  keyAt(index: number): string | undefined {
    return this.keys[index]
  }

  /** -1 for one that is not there. Searched from the end, where one reads. */
  indexOf(key: string): number {
    return this.keys.lastIndexOf(key)
  }

  /** Whether that changed anything. */
  measure(key: string, height: number): boolean {
    if (this.measured.get(key) === height) return false
    this.measured.set(key, height)
    const index = this.indexOf(key)
    if (index >= 0) this.validTo = Math.min(this.validTo, index)
    return index >= 0
  }

  /** Of the row at `index`; of the one behind the last: how high all are together. */
  top(index: number): number {
    const end = Math.max(0, Math.min(index, this.keys.length))
    for (; this.validTo < end; this.validTo++) {
      this.tops[this.validTo + 1] = this.tops[this.validTo]! + (this.measured.get(this.keys[this.validTo]!) ?? GUESS)
    }
    return this.tops[end]!
  }

  get total(): number {
    return this.top(this.keys.length)
  }

  /** The row at a height; the first or the last for one outside. */
  indexAt(offset: number): number {
    this.top(this.keys.length)
    let [low, high] = [0, Math.max(0, this.keys.length - 1)]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.tops[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
}
