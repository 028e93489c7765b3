import { Readable } from 'node:stream'
import { type Tree, TreelineError } from '@treeline/core'
import { type ListOptions, listNodes } from '../../wire/list-nodes.ts'
import { fragmentRoots, toFragments } from '../../wire/to-fragment.ts'
import { toSkeleton } from '../../wire/to-skeleton.ts'
import { type Seen, toTreeHead } from '../../wire/tree-head.ts'
import { withBodies } from '../../wire/with-bodies.ts'
import { deletedMark } from './deleted-mark.ts'
import { bytesInShort } from './node-bytes.ts'

const BATCH_NODES = 512
const BATCH_BYTES = 4 * 1024 * 1024

/**
 * The whole skeleton as NDJSON: the head without nodes, then a node in each line, in the order in which they came. Nodes
 * are as they are when they are read; those that came after the head's version are left out, and events tell of them.
 */
export function streamSkeleton(seen: Seen, include: Required<ListOptions>): Readable {
  return Readable.from(linesOf(seen, include), { objectMode: false, highWaterMark: 256 * 1024 })
}

async function* linesOf(seen: Seen, include: Required<ListOptions>): AsyncGenerator<string> {
  const { tree } = seen
  const refs = Int32Array.from(listNodes(tree, include))
  yield await withBodies(
    seen,
    (tree) => (include.fragments ? fragmentRoots(tree) : []),
    (tree, bodyOf) => {
      const fragments = include.fragments ? toFragments(tree, bodyOf) : []
      return `${JSON.stringify(toTreeHead(seen, { fragments, nextCursor: null }))}\n`
    },
  )
  const mark = deletedMark(tree, include)
  for (const batch of batchesOf(tree, refs)) {
    // The log was rewritten under the reader: what would follow belongs to another tree, so the answer is cut off.
    if (seen.tree !== tree) throw new TreelineError('cursor_expired', 'The session was rewritten. Begin anew.')
    yield await withBodies(
      seen,
      ({ ids }) => Array.from(batch, (ref) => ids.textOf(ref)),
      (tree, bodyOf) => {
        let lines = ''
        for (const ref of batch) {
          const node = { ...toSkeleton(tree, ref, bodyOf(tree.ids.textOf(ref))), ...mark(ref) }
          lines += `${JSON.stringify(node)}\n`
        }
        return lines
      },
    )
  }
}

/** Read together: not more than fits into little memory, however long the lines are. */
function* batchesOf(tree: Tree, refs: Int32Array): Generator<Int32Array> {
  let start = 0
  let bytes = 0
  for (let end = 1; end <= refs.length; end++) {
    bytes += bytesInShort(tree, refs[end - 1]!)
    if (end < refs.length && end - start < BATCH_NODES && bytes < BATCH_BYTES) continue
    yield refs.subarray(start, end)
    start = end
    bytes = 0
  }
}
