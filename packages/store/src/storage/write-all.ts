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

/** No call failed, so the system says nothing; where no byte is taken there is no room. */
function noRoom(bytes: number): Error {
  return Object.assign(new Error(`a write came out empty with ${bytes} bytes to go`), { code: 'ENOSPC' })
}
