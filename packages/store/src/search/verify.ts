import type { Entry } from '@treeline/core'
import type { Pace } from '../session-index/pace.ts'
import type { NodePlace, SessionSource } from '../session-index/session-source.ts'
import type { Candidate, IndexedFile } from './candidates.ts'
import { describeNode } from './describe-node.ts'
import { type FoundHit, hitOf } from './hit.ts'
import type { Query } from './query.ts'

interface VerifyRequest {
  readonly sources: ReadonlyMap<string, SessionSource>
  readonly query: Query
  readonly pace: Pace
  /** Files of which something could not be read as it was indexed. */
  readonly unread: Set<string>
}

/** Bodies read together take memory; one that is longer is read alone. */
const MAX_BYTES = 4 * 1024 * 1024

/** Reads the candidates' bodies, file by file, and keeps those that the query means. In the order they came in. */
export async function verify(request: VerifyRequest, candidates: readonly Candidate[]): Promise<FoundHit[]> {
  const hits: FoundHit[] = []
  for (let start = 0; start < candidates.length; ) {
    const end = endOfBatch(candidates, start)
    hits.push(...(await verifyBatch(request, candidates.slice(start, end))))
    start = end
  }
  return hits
}

function endOfBatch(places: readonly NodePlace[], start: number): number {
  let bytes = 0
  let end = start
  for (; end < places.length; end++) {
    bytes += (places[end] as NodePlace).length
    if (bytes > MAX_BYTES && end > start) break
  }
  return end
}

async function verifyBatch(request: VerifyRequest, candidates: readonly Candidate[]): Promise<FoundHit[]> {
  const { query, pace, unread } = request
  const bodies = new Map<Candidate, Entry>()
  const readFile = async ([file, wanted]: [IndexedFile, readonly Candidate[]]) => {
    const entries = await readBodies(request, file, wanted)
    for (const [index, candidate] of wanted.entries()) {
      const entry = entries[index]
      if (entry?.id === candidate.id) bodies.set(candidate, entry)
      else unread.add(file.path)
    }
  }
  const byFile = Map.groupBy(candidates, (candidate) => candidate.in)
  await Promise.all(Array.from(byFile, readFile))
  const hits: FoundHit[] = []
  for (const candidate of candidates) {
    await pace.step()
    const entry = bodies.get(candidate)
    const description = entry && describeNode(entry)
    const hit = description && hitOf({ ...candidate, position: candidate }, description, query)
    if (hit !== undefined) hits.push(hit)
  }
  return hits
}

/** A file that cannot be read hides no other: it is counted as one that was not searched (I7). */
async function readBodies(
  { sources }: VerifyRequest,
  { source, path }: IndexedFile,
  places: readonly NodePlace[],
): Promise<readonly (Entry | undefined)[]> {
  try {
    return (await sources.get(source)?.read(path, places)) ?? []
  } catch {
    return []
  }
}
