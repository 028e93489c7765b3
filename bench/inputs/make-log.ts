import { encodeHeader, encodeLine } from '../../packages/core/src/codec/encode.ts'
import { type SessionShape, SessionWriter, START_MS } from './session-writer.ts'
import { writeTurn } from './turn.ts'

export interface LogOptions extends SessionShape {
  /** How many of the entries, from the end, Treeline wrote: head first and checksummed. Pi wrote those before. */
  readonly sealedShare: number
}

const GROWTH = 2

/** A session log such as a coding agent leaves behind, in memory. The same options give the same bytes. */
export function makeLog(options: LogOptions): Uint8Array {
  const { maxBytes, maxEntries, sealedShare } = options
  let bytes = Buffer.allocUnsafeSlow((maxBytes ?? 32_000_000) + 1_000_000)
  let used = 0
  const put = (line: Uint8Array): number => {
    if (used + line.length > bytes.length) {
      const longer = Buffer.allocUnsafeSlow(bytes.length * GROWTH)
      longer.set(bytes.subarray(0, used))
      bytes = longer
    }
    bytes.set(line, used)
    used += line.length
    return line.length
  }
  const isSealed = (): boolean => {
    const done = maxEntries === undefined ? used / (maxBytes ?? 1) : writer.entries / maxEntries
    return done >= 1 - sealedShare
  }
  const id = '0199c0de-0000-7000-8000-000000000001'
  const timestamp = new Date(START_MS).toISOString()
  const writer = new SessionWriter(options, (entry) =>
    put(isSealed() ? encodeLine(entry) : Buffer.from(`${JSON.stringify(entry)}\n`)),
  )
  put(encodeHeader({ type: 'session', version: 3, id, timestamp, cwd: '/home/dev/project' }))
  while (writer.room > 0) writeTurn(writer)
  return bytes.subarray(0, used)
}
