import { TreelineError } from './errors.ts'
import { Flag } from './tree/columns.ts'

/** What may be an id of ours or of a client; it never becomes a path before it has passed here (K3). */
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

export function isSafeId(value: unknown): value is string {
  return typeof value === 'string' && SAFE_ID.test(value)
}

/** A client's own id must be usable and new (K3, D3). The end of a generation comes under the id it announced. */
export function refuseId(tree: IdOwner, id: string, mayEndGeneration = true): void {
  const nodeIds = [id]
  if (!isSafeId(id)) {
    throw new TreelineError('validation_failed', `"${id}" cannot be an id: use letters, digits, ".", "_", "-".`, {
      nodeIds,
    })
  }
  const ref = tree.ids.find(id)
  const isAnnounced = mayEndGeneration && ref > 0 && tree.columns.has(ref, Flag.generating)
  if (ref > 0 && tree.columns.has(ref, Flag.known) && !isAnnounced) {
    throw new TreelineError('id_in_use', `The id ${id} is taken by another entry of this session.`, { nodeIds })
  }
}

interface IdOwner {
  readonly ids: { find(id: string): number }
  readonly columns: { has(ref: number, flag: number): boolean }
}

/** Drawn many at a time: asking the system for four bytes costs as much as asking for a thousand. */
const drawn = new Uint8Array(1024)
let unused = 0
/** Spelling out a number of 32 bits takes several times as long as putting four bytes together. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Eight hex characters, drawn again while taken. */
export function newEntryId(isTaken: (id: string) => boolean): string {
  for (;;) {
    if (unused === 0) {
      crypto.getRandomValues(drawn)
      unused = drawn.length
    }
    unused -= 4
    const id = nextHex(0) + nextHex(1) + nextHex(2) + nextHex(3)
    if (!isTaken(id)) return id
  }
}

function nextHex(byte: number): string {
  return HEX[drawn[unused + byte]!]!
}
