import { parseRecord, TreelineError } from '@treeline/core'
import type { BlobRef } from '../blobs/blob-ref.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { findByteRefs, findEntryRefs } from '../blobs/find-refs.ts'
import type { LeftOut } from './left-out.ts'

const LINE_END = 0x0a

/**
 * Lines on their way into another store: the blobs they name are there, verified and durable, before the pieces are
 * given on. One that is missing or damaged is told of, and the line goes on naming it.
 */
export async function* carryBlobs(
  lines: AsyncIterable<readonly Uint8Array[]>,
  from: BlobStore,
  to: BlobStore,
  leftOut: LeftOut,
): AsyncGenerator<readonly Uint8Array[]> {
  const problems = new Map<BlobRef, TreelineError | undefined>()
  const told = new Set<BlobRef>()
  const carryNamed = async (bytes: Buffer): Promise<void> => {
    let line: { readonly end: number; readonly named: ReadonlySet<BlobRef> } | undefined
    for (const { ref, at } of findByteRefs(bytes)) {
      if (!problems.has(ref)) problems.set(ref, await carry(ref, from, to))
      const problem = problems.get(ref)
      if (problem === undefined || told.has(ref)) continue
      if (line === undefined || at > line.end) line = lineAround(bytes, at)
      // One that is only talked about may be meant elsewhere.
      if (!line.named.has(ref)) continue
      told.add(ref)
      leftOut.add(problem)
    }
  }
  for await (const some of lines) {
    for (const { buffer, byteOffset, length } of some) await carryNamed(Buffer.from(buffer, byteOffset, length))
    yield some
  }
}

async function carry(ref: BlobRef, from: BlobStore, to: BlobStore): Promise<TreelineError | undefined> {
  let damage: TreelineError | undefined
  const read = async (blobs: BlobStore): Promise<Uint8Array | undefined> => {
    try {
      return await blobs.read(ref)
    } catch (error) {
      if (!(error instanceof TreelineError)) throw error
      damage ??= error
      return undefined
    }
  }
  const bytes = (await read(from)) ?? (await read(to))
  if (bytes !== undefined) {
    await to.put(bytes)
    return undefined
  }
  const message = `${ref} is missing: it is neither among the session's blobs nor here. Its place stays as it is.`
  return damage ?? new TreelineError('damaged', message)
}

/** What the line names as blobs, and does not merely quote. */
function lineAround(bytes: Buffer, at: number): { readonly end: number; readonly named: ReadonlySet<BlobRef> } {
  const next = bytes.indexOf(LINE_END, at)
  const end = next < 0 ? bytes.length : next
  try {
    const { entry } = parseRecord(bytes.subarray(bytes.lastIndexOf(LINE_END, at) + 1, end))
    return { end, named: new Set(findEntryRefs(entry)) }
  } catch {
    // No entry, so nobody will look for its blobs.
    return { end, named: new Set() }
  }
}
