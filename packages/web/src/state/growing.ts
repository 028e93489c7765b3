/** Arrays of numbers that grow by doubling: a place per node, without an object per node. */
export class GrowingInts {
  private values: Int32Array
  length = 0

  constructor(given: ArrayLike<number> = []) {
    this.values = new Int32Array(Math.max(64, given.length * 2))
    this.values.set(given)
    this.length = given.length
  }

  get(at: number): number {
    return this.values[at]!
  }

  set(at: number, value: number): void {
    this.values[at] = value
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const wider = new Int32Array(this.length * 2)
      wider.set(this.values)
      this.values = wider
    }
    this.values[this.length++] = value
  }

  /** A look at them as they are now, for whoever reads many; void once something is pushed. */
  view(): Int32Array {
    return this.values.subarray(0, this.length)
  }
}
