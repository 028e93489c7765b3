import { listBranches, listFragments, ROOT, type Tree } from '@treeline/core'
import type { Home } from '../home.ts'
import { FileLog } from '../log/file-log.ts'
import { takeTurns } from './take-turns.ts'

/** What takes the room in one log, in bytes of its lines. */
export interface BranchSpace {
  readonly sizeBytes: number
  /** Largest first, by what only it has. */
  readonly branches: readonly OneBranchSpace[]
  /** In the stash, oldest cut first. */
  readonly fragments: readonly { readonly fragmentId: string; readonly sizeBytes: number }[]
  readonly deletedBytes: number
  /** Header, edits, labels, damage: what is not part of any branch. */
  readonly otherBytes: number
  /** Largest first, wherever they are. */
  readonly largest: readonly { readonly entryId: string; readonly sizeBytes: number }[]
}

export interface OneBranchSpace {
  readonly leafId: string
  readonly isTrunk: boolean
  /** Lines that no other branch has. */
  readonly ownBytes: number
  readonly sharedBytes: number
}

type Turn = ReturnType<typeof takeTurns>

const MAX_LARGEST = 20
const ROWS_PER_TURN = 20_000

export async function measureBranches(
  { storage, locks }: Pick<Home, 'storage' | 'locks'>,
  path: string,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<BranchSpace> {
  const log = await FileLog.open({ storage, locks, path, readOnly: 'asked' })
  try {
    const { size: sizeBytes } = storage.statSync(path)
    const { tree } = log
    const turn = takeTurns(signal, ROWS_PER_TURN)
    const branches = await measureAttached(tree, turn)
    const fragments = listFragments(tree).map(({ fragmentId }) => {
      return { fragmentId, sizeBytes: subtreeBytes(tree, tree.ids.find(fragmentId)) }
    })
    let deletedBytes = 0
    for (const top of tree.edits.deleted.keys()) deletedBytes += subtreeBytes(tree, top)
    const cutBytes = fragments.reduce((sum, fragment) => sum + fragment.sizeBytes, deletedBytes)
    const otherBytes = Math.max(0, sizeBytes - branches.attachedBytes - cutBytes)
    const largest = await findLargest(tree, turn)
    return { sizeBytes, branches: branches.list, fragments, deletedBytes, otherBytes, largest }
  } finally {
    await log.close()
  }
}

/** Up from the leaves: in how many branches each node is. Down from the roots: the bytes of its path, and the branch's own. */
async function measureAttached(tree: Tree, turn: Turn) {
  const { columns, ids } = tree
  const { parent, firstChild } = columns
  const order: number[] = []
  for (const ref of columns.subtree(ROOT)) {
    order.push(ref)
    await turn()
  }
  const leaves = new Int32Array(ids.count)
  const pathBytes = new Float64Array(ids.count)
  const ownBytes = new Float64Array(ids.count)
  for (let i = order.length - 1; i > 0; i--) {
    const ref = order[i]!
    if (firstChild[ref] === 0) leaves[ref] = 1
    leaves[parent[ref]!]! += leaves[ref]!
    await turn()
  }
  let attachedBytes = 0
  for (let i = 1; i < order.length; i++) {
    const ref = order[i]!
    const bytes = bytesOf(tree, ref)
    attachedBytes += bytes
    pathBytes[ref] = pathBytes[parent[ref]!]! + bytes
    if (leaves[ref] === 1) ownBytes[ref] = ownBytes[parent[ref]!]! + bytes
    await turn()
  }
  const list = listBranches(tree).map(({ leafId, isTrunk }) => {
    const leaf = ids.find(leafId)
    return { leafId, isTrunk, ownBytes: ownBytes[leaf]!, sharedBytes: pathBytes[leaf]! - ownBytes[leaf]! }
  })
  return { attachedBytes, list: list.sort((a, b) => b.ownBytes - a.ownBytes) }
}

async function findLargest(tree: Tree, turn: Turn): Promise<BranchSpace['largest']> {
  const { heads, ids } = tree
  const largest: { row: number; sizeBytes: number }[] = []
  for (let row = 0; row < tree.rowCount; row++) {
    await turn()
    const sizeBytes = heads.lengthOf(row) + 1
    if (largest.length === MAX_LARGEST && sizeBytes <= largest.at(-1)!.sizeBytes) continue
    const at = largest.findIndex((one) => one.sizeBytes < sizeBytes)
    largest.splice(at < 0 ? largest.length : at, 0, { row, sizeBytes })
    if (largest.length > MAX_LARGEST) largest.pop()
  }
  return largest.map(({ row, sizeBytes }) => ({ entryId: ids.textOf(tree.refAtRow(row)), sizeBytes }))
}

function subtreeBytes(tree: Tree, top: number): number {
  let bytes = 0
  for (const ref of tree.columns.subtree(top)) bytes += bytesOf(tree, ref)
  return bytes
}

/** Its line and the line end. A node made by copying has no line of its own. */
function bytesOf({ columns, heads }: Tree, ref: number): number {
  const row = columns.rowOf[ref]!
  return row < 0 ? 0 : heads.lengthOf(row) + 1
}
