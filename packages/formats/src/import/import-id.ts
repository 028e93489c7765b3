import { createHash } from 'node:crypto'

export interface ForeignIdentity {
  /** `log` for all tools of the Pi family: which of them it is may show only later in a file. */
  readonly kind: string
  readonly identity: readonly string[]
  /** Counts sessions that are others although all of this is the same. */
  readonly number: number
  /** When the session began, `NaN` if nobody knows. */
  readonly createdAtMs: number
}

const MAX_TIME_MS = 2 ** 48 - 1

/**
 * The id an imported session has here: a UUIDv7 of the time the session began, with a hash of what it is where others have
 * random bits. So the same session is the same here whenever, and from wherever, it is imported.
 */
export function importedSessionId({ kind, identity, number, createdAtMs }: ForeignIdentity): string {
  const text = JSON.stringify([kind, ...identity, ...(number > 0 ? [number] : [])])
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  const isTime = createdAtMs >= 0 && createdAtMs <= MAX_TIME_MS
  bytes.writeUIntBE(isTime ? Math.floor(createdAtMs) : 0, 0, 6)
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
