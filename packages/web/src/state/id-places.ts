/** So many ids are looked for one by one before all are written down. */
const FEW = 24

/**
 * Which place a node has. The first ones asked for, the leaf and the tops, are looked for along the ids; all of them are
 * written down when it is clear that somebody asks for many, which is after the first picture.
 */
export class IdPlaces {
  private readonly ids: readonly string[]
  private readonly places = new Map<string, number>()
  private asked = 0

  /** The list may grow; what is added has to be noted. */
  constructor(ids: readonly string[]) {
    this.ids = ids
  }

  /** -1 for one that is not known. */
  of(id: string): number {
    const known = this.places.get(id)
    if (known !== undefined) return known
    if (this.asked > FEW) return -1
    if (this.asked++ === FEW) {
      for (let place = 0; place < this.ids.length; place++) this.places.set(this.ids[place]!, place)
      return this.places.get(id) ?? -1
    }
    const place = this.ids.lastIndexOf(id)
    if (place >= 0) this.places.set(id, place)
    return place
  }

  note(id: string, place: number): void {
    this.places.set(id, place)
  }
}
