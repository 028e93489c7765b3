/** What may be an id of ours or of a client; it never becomes a path before it has passed here (K3). */
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

export function isSafeId(value: unknown): value is string {
  return typeof value === 'string' && SAFE_ID.test(value)
}

/** Eight hex characters, drawn again while taken. */
export function newEntryId(isTaken: (id: string) => boolean): string {
  const word = new Uint32Array(1)
  for (;;) {
    crypto.getRandomValues(word)
    const id = word[0]!.toString(16).padStart(8, '0')
    if (!isTaken(id)) return id
  }
}
