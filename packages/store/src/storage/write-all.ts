import type { OpenFile } from './storage-driver.ts'

/** Goes on after a short write, as often as it takes; the write that then fails says why. */
export function writeAll(file: Pick<OpenFile, 'writeSync'>, bytes: Uint8Array): void {
  let rest = bytes
  while (rest.length > 0) {
    const written = file.writeSync(rest)
    if (written === 0) throw noRoom(rest.length)
    rest = rest.subarray(written)
  }
}

/** The same for several pieces, in another thread. */
export async function writePieces(file: Pick<OpenFile, 'write'>, pieces: readonly Uint8Array[]): Promise<void> {
  let rest = pieces
  for (let left = sizeOf(pieces); left > 0; ) {
    const written = await file.write(rest)
    if (written === 0) throw noRoom(left)
    left -= written
    if (left > 0) rest = withoutFirst(rest, written)
  }
}

/** In bytes. */
export function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}

function withoutFirst(pieces: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let [at, gone] = [0, bytes]
  while (at < pieces.length && gone >= pieces[at]!.length) gone -= pieces[at++]!.length
  return pieces.slice(at).map((piece, i) => (i === 0 ? piece.subarray(gone) : piece))
}

/** No call failed, so the system says nothing; where no byte is taken there is no room. */
function noRoom(bytes: number): Error {
  return Object.assign(new Error(`a write came out empty with ${bytes} bytes to go`), { code: 'ENOSPC' })
}
