import { Flag, Kind, ROOT, type Tree } from '@treeline/core'

/** Ids of lines that stand for no node of their own, made of ids of those they belong to. */

const INTERRUPTED = '.interrupted'

/** The line with the results that an answer never got. */
export function interruptedId(answerId: string): string {
  return answerId + INTERRUPTED
}

/** What a compaction keeps, said again below its summary. */
export function keptCopyId(id: string, compactionId: string): string {
  return `${id}.${compactionId}`
}

/**
 * The node under which one goes on from a line: its own, or the one that such a line was made for. An id that leads to
 * none comes back as it is.
 */
export function nodeToContinue({ ids, columns }: Tree, uuid: string): string {
  const find = (id: string) => {
    const ref = ids.find(id)
    return ref > ROOT && columns.has(ref, Flag.known) ? ref : ROOT
  }
  if (find(uuid) !== ROOT) return uuid
  const answerId = uuid.endsWith(INTERRUPTED) ? uuid.slice(0, -INTERRUPTED.length) : ''
  if (find(answerId) !== ROOT) return answerId
  for (let at = uuid.indexOf('.'); at >= 0; at = uuid.indexOf('.', at + 1)) {
    const compactionId = uuid.slice(at + 1)
    const ref = find(compactionId)
    if (ref !== ROOT && columns.kind[ref] === Kind.compaction) return compactionId
  }
  return uuid
}
