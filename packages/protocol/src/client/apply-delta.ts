/** A piece of text that came over the stream. */
export interface Delta {
  readonly contentChunk: string
  /** Where it begins, in UTF-16 units. */
  readonly offset: number
}

/**
 * What a piece adds to what is there. Pieces may overlap what is known after a reconnect; one that leaves a gap gives
 * `undefined`: ask for the rest with `resync`.
 */
export function applyDelta(text: string, { contentChunk, offset }: Delta): string | undefined {
  if (offset > text.length) return undefined
  const known = text.length - offset
  return known >= contentChunk.length ? text : text + contentChunk.slice(known)
}
