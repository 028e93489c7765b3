import { crc32 } from 'node:zlib'
import { type Entry, encodeLine, TreelineError } from '@treeline/core'
import type { PutBlob } from '../blobs/blob-ref.ts'
import { externalise } from '../blobs/externalise.ts'
import type { LogReader } from '../log/log-reader.ts'
import { withBothSpellings } from './spellings.ts'

const BATCH_BYTES = 1024 * 1024

/**
 * Entries as the lines of a new log, large parts in blobs, about a megabyte at a time. They keep their ids and parents,
 * in whatever order they come; an id that comes twice is refused, because the reader would show only one of the two.
 * `reader` takes in what is given.
 */
export async function* entryLines(
  entries: Iterable<Entry> | AsyncIterable<Entry>,
  put: PutBlob,
  onEntry: (entry: Entry) => void,
  reader?: LogReader,
): AsyncGenerator<readonly Uint8Array[]> {
  const ids = new Set<string>()
  const joined = (): Uint8Array => {
    const piece = Buffer.concat(lines)
    reader?.push(piece)
    return piece
  }
  let lines: Uint8Array[] = []
  let size = 0
  for await (const entry of entries) {
    takeId(ids, entry)
    onEntry(entry)
    const line = encodeLine(await externalise(withBothSpellings(entry), put), crc32)
    lines.push(line)
    size += line.length
    if (size < BATCH_BYTES) continue
    yield [joined()]
    lines = []
    size = 0
  }
  if (size > 0) yield [joined()]
}

function takeId(ids: Set<string>, { type, id, parentId }: Entry): void {
  if (type === 'session') throw new TreelineError('invalid_entry', 'A header can only be the first line of a log.')
  const isLinked = parentId === null || typeof parentId === 'string'
  if (typeof id !== 'string' || id === '' || !isLinked) {
    const message = `An entry (${JSON.stringify(id)} under ${JSON.stringify(parentId)}) has no id or no parent. Give it an id, and a parent or null.`
    throw new TreelineError('invalid_entry', message)
  }
  // As readers know it: they keep ids as UTF-8, which has no form for half a pair of surrogates.
  const known = id.toWellFormed()
  if (ids.has(known)) {
    throw new TreelineError('id_in_use', `Two entries have the id ${id}. Give each its own.`, { nodeIds: [id] })
  }
  ids.add(known)
}
