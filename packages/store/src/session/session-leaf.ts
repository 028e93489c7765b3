import { attachedLeaf, Flag, ROOT, type Tree, TreelineError } from '@treeline/core'

interface OpenedLeaf {
  readonly tree: Tree
  readonly ref: number
  readonly id: string | null
}

/** Where one open session goes on: its own leaf, whatever others do with the log. */
export class SessionLeaf {
  /** The leaf at the opening: looking it up would mean to look at every id of the session. */
  private readonly opened: OpenedLeaf | undefined
  private now: string | null
  /** As of the last change that was acknowledged: where a write that was lost leads back to. */
  private kept: string | null
  /** This session moved it there itself, and did not come along with others. */
  private isOwn = false
  private wasOwn = false
  /** How much of the log was looked at for where others go on; `undefined` where that does not count. */
  private looked: { readonly tree: Tree; readonly rows: number } | undefined

  constructor(id: string | null, opened?: OpenedLeaf) {
    this.now = id
    this.kept = id
    this.opened = opened
  }

  static endOf(tree: Tree): SessionLeaf {
    const ref = attachedLeaf(tree)
    const id = idOf(tree, ref)
    return new SessionLeaf(id, { tree, ref, id })
  }

  /** As it was set last, also when that entry is cut off by now. */
  get id(): string | null {
    return this.now
  }

  idIn(tree: Tree): string | null {
    const { opened } = this
    this.goAlong(tree)
    const { now } = this
    const { fragments, deleted } = tree.edits
    // Where nothing was ever cut off, what is known hangs on.
    const isWhole = fragments.size === 0 && deleted.size === 0
    if (tree === opened?.tree && now === opened.id) {
      if (isWhole || attachedLeaf(tree, opened.ref) === opened.ref) return now
    } else if (isWhole && isKnown(tree, now)) return now
    return idOf(tree, this.refIn(tree))
  }

  refIn(tree: Tree): number {
    this.goAlong(tree)
    return this.ownIn(tree)
  }

  /** Of any entry, the leaf at the opening among them. Throws `node_not_found`. */
  refOf(tree: Tree, id: string | null): number {
    const { opened } = this
    if (tree === opened?.tree && id === opened.id) return opened.ref
    if (isKnown(tree, id)) return id === null ? ROOT : tree.ids.find(id)
    throw new TreelineError('node_not_found', `There is no entry ${id} in this session.`, { nodeIds: [id as string] })
  }

  /** From now on it goes where others go on: see `Session.followLeaf`. */
  follow(tree: Tree): void {
    this.looked = { tree, rows: tree.rowCount }
    this.isOwn = false
    this.wasOwn = false
  }

  /** Where a change of this session that is being written leaves it: not where a write that was lost had brought it. */
  stayIn(tree: Tree): string | null {
    return isKnown(tree, this.now) ? this.now : this.kept
  }

  /** By a change of this session that is being written. */
  moveTo(id: string | null): string | null {
    if (id !== this.now) {
      this.now = id
      this.isOwn = true
    }
    return id
  }

  /** The change that left it there is durable. */
  keep(id: string | null): void {
    this.kept = id
    this.wasOwn = this.isOwn
  }

  /** The change that moved it there could not be stored: unless another has moved it since, it is where it was. */
  moveBack(id: string | null): void {
    if (this.now !== id) return
    this.now = this.kept
    this.isOwn = this.wasOwn
  }

  private ownIn(tree: Tree): number {
    let ref = knownRef(tree, this.now)
    if (ref < ROOT) ref = knownRef(tree, this.kept)
    return attachedLeaf(tree, ref < ROOT ? tree.leaf : ref)
  }

  private goAlong(tree: Tree): void {
    const { looked } = this
    if (looked === undefined || (looked.tree === tree && looked.rows === tree.rowCount)) return
    this.looked = { tree, rows: tree.rowCount }
    const leaf = attachedLeaf(tree)
    const own = this.ownIn(tree)
    if (leaf === own || (this.isOwn && !goesOnFrom(tree, own, leaf, looked.rows))) return
    this.now = idOf(tree, leaf)
    this.kept = this.now
    this.isOwn = false
    this.wasOwn = false
  }
}

function idOf(tree: Tree, ref: number): string | null {
  return ref === ROOT ? null : tree.ids.textOf(ref)
}

/** False for an id that is gone because its write failed or the log was replaced underneath. */
export function isKnown(tree: Tree, id: string | null): boolean {
  return knownRef(tree, id) >= ROOT
}

/** -1 for one that is not known. */
function knownRef(tree: Tree, id: string | null): number {
  if (id === null) return ROOT
  const ref = tree.ids.find(id)
  return ref === ROOT || (ref > ROOT && tree.columns.has(ref, Flag.known)) ? ref : -1
}

/** Whether only what came with a row or after it leads from one place to another. */
function goesOnFrom(tree: Tree, from: number, to: number, row: number): boolean {
  const { columns } = tree
  const isNew = (ref: number): boolean => ref > ROOT && tree.orderOf(ref) >= row
  const end = columns.ownerOf(from)
  let at = columns.ownerOf(to)
  if (at !== to && !isNew(to)) return false
  while (at !== end && isNew(at)) at = columns.parent[at]!
  return at === end
}
