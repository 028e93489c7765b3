const SHOWN_CHARS = 8

/** A session's id as it is shown and can be typed: the end of it, since the beginning is a clock. */
export function shortId(id: string): string {
  return id.slice(-SHOWN_CHARS)
}
