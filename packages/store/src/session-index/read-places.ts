import { type Entry, logVersion, parseRecord, scanLog, TreelineError } from '@treeline/core'
import { nativeCodec } from '../log/native-codec.ts'
import type { SessionStorage, StorageReader } from '../storage/storage.ts'
import { errnoOf } from '../storage-error.ts'
import type { NodePlace } from './session-source.ts'

/** Records closer than this are fetched in one read. */
const MAX_GAP_BYTES = 16 * 1024
const MAX_READ_BYTES = 4 * 1024 * 1024
const HEADER_BYTES = 64 * 1024

type Found = (Entry | undefined)[]

/**
 * Entries by their bytes' place alone. `byTree` reads those of a log that stores no ids, or not the ones it goes by;
 * `undefined` where another entry is by now.
 */
export async function readPlaces(
  storage: SessionStorage,
  path: string,
  places: readonly NodePlace[],
  byTree: (places: readonly NodePlace[]) => Promise<Found>,
): Promise<Found> {
  let file: StorageReader
  try {
    file = storage.openReader(path)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return places.map(() => undefined)
    throw error
  }
  let found: Found
  let isNumbered: boolean
  try {
    found = readEach(file, places)
    isNumbered = found.includes(undefined) && storesNoIds(file)
  } finally {
    file.closeSync()
  }
  if (!isNumbered) return found
  const missing = places.filter((_, i) => found[i] === undefined)
  const others = await byTree(missing)
  let next = 0
  return found.map((entry) => entry ?? others[next++])
}

/** A read costs less than a hop to another thread. */
function readEach(file: StorageReader, places: readonly NodePlace[]): Found {
  const { size } = file.statSync()
  const found: Found = places.map(() => undefined)
  const order = [...places.keys()]
    .filter((i) => isWithin(places[i]!, size))
    .sort((a, b) => places[a]!.offset - places[b]!.offset)
  for (let first = 0; first < order.length; ) {
    const start = places[order[first]!]!.offset
    let end = start
    let last = first
    for (; last < order.length; last++) {
      const { offset, length } = places[order[last]!]!
      const isApart = offset - end > MAX_GAP_BYTES || Math.max(end, offset + length) - start > MAX_READ_BYTES
      if (last > first && isApart) break
      end = Math.max(end, offset + length)
    }
    const bytes = new Uint8Array(end - start)
    const read = file.readSync(bytes, start)
    for (; first < last; first++) {
      const { id, offset, length } = places[order[first]!]!
      if (offset - start + length > read) continue
      found[order[first]!] = parse(bytes.subarray(offset - start, offset - start + length), id)
    }
  }
  return found
}

/** What the index holds is not believed: a place beyond the file would be memory for nothing. */
function isWithin({ offset, length }: NodePlace, size: number): boolean {
  return (
    Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length > 0 && offset + length <= size
  )
}

function parse(bytes: Uint8Array, id: string): Entry | undefined {
  try {
    return parseRecord(bytes, { id }, nativeCodec).entry
  } catch (error) {
    if (error instanceof TreelineError) return undefined
    throw error
  }
}

/** Version 1, and logs in which the lines after the header have no ids. */
function storesNoIds(file: StorageReader): boolean {
  const bytes = new Uint8Array(HEADER_BYTES)
  const { header, heads } = scanLog(bytes.subarray(0, file.readSync(bytes, 0)))
  if (logVersion(header?.value as { readonly version?: unknown } | undefined) < 2) return true
  for (let row = 0; row < heads.count; row++) if (!heads.hasId[row]) return true
  return false
}
