import { isKnownVersion, type SkippedRange } from '@treeline/core'
import type { StorageReader } from '../storage/storage.ts'
import type { LogReader } from './log-reader.ts'
import type { Access } from './session-log.ts'

/**
 * Whether a log may be appended to. What is not understood is left alone (I4); a line cut short by a killed writer is
 * nothing unusual and does not count as damage here.
 */
export function judgeAccess(reader: LogReader, file: StorageReader): Access {
  if (reader.storedHeader === undefined) return { mode: 'read', reason: 'no_header' }
  if (!isKnownVersion(reader.version)) return { mode: 'read', reason: 'newer' }
  return findDamage(reader, file) === undefined ? { mode: 'write' } : { mode: 'read', reason: 'damaged' }
}

/** The first bytes that cannot be read as entries and are not just a write cut short. */
export function findDamage(reader: LogReader, file: StorageReader): SkippedRange | undefined {
  return reader.skipped.find((range) => range.severity === 'damage' && !isTorn(range, file))
}

const OPENING = new TextEncoder().encode('{"type":"')
const MAX_LOOK_BYTES = 1024 * 1024
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN = 0x7b
const CLOSE = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d

/** A record that begins as one and was never finished; a crash may have left NULs in place of the rest. */
function isTorn({ reason, offset, length }: SkippedRange, file: StorageReader): boolean {
  if (reason === 'torn') return true
  if (reason !== 'not_json' && reason !== 'garbage_before_record') return false
  const bytes = new Uint8Array(Math.min(length, MAX_LOOK_BYTES))
  file.readSync(bytes, offset)
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  if (end === 0) return true
  for (let i = 0; i < Math.min(end, OPENING.length); i++) if (bytes[i] !== OPENING[i]) return false
  return length > MAX_LOOK_BYTES || isUnfinished(bytes.subarray(0, end))
}

const SEAL = /,"crc":"[0-9a-f]{8}"\}$/
const SEAL_BYTES = 18

/** A write may be cut behind any byte, also behind a brace that closes something inside; never behind a checksum. */
function isUnfinished(bytes: Uint8Array): boolean {
  if (SEAL.test(Buffer.from(bytes.subarray(-SEAL_BYTES)).toString('latin1'))) return false
  let depth = 0
  let inString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === BACKSLASH) at++
    else if (byte === QUOTE) inString = !inString
    else if (inString) continue
    else if (byte === OPEN || byte === OPEN_LIST) depth++
    else if (byte === CLOSE || byte === CLOSE_LIST) depth--
  }
  return inString || depth > 0
}
