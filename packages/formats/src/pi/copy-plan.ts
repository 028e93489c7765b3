import { attachedLeaf, deriveEntryId, Flag, Kind, placeOf, ROOT, runUp, type Tree } from '@treeline/core'
import { type ChosenNodes, chooseNodes, type LeftOutReason } from './choose-nodes.ts'
import { cutRings } from './cut-rings.ts'
import { parentsFirst } from './parents-first.ts'

/** One line of the copy. */
export interface CopiedEntry {
  /** Its id in the copy. */
  readonly id: string
  /** The entry whose body it has. */
  readonly bodyId: string
  readonly ref: number
  /** `undefined`: as its own line says. */
  readonly parentId: string | null | undefined
  /** Set for a line that a later one of the same id replaces: the row it is in. */
  readonly shadowedRow?: number | undefined
}

export interface CopyPlan {
  /** In the order of writing. */
  readonly entries: readonly CopiedEntry[]
  /** Where the copied conversation goes on. */
  readonly leafId: string | null
  /** Whether anything hangs elsewhere, or is not there, because of an edit. */
  readonly isEdited: boolean
  /** What is not in the copy, by why: nodes, and lines whose id is another's. */
  readonly leftOut: Readonly<Record<LeftOutReason | 'duplicate', number>>
  /** Entries whose parents form a ring: in the copy they are roots, because other tools never come out of it. */
  readonly ringIds: readonly string[]
}

/** Never in a copy: only Treeline knows what they mean. */
const OURS: readonly Kind[] = [Kind.edit, Kind.generation, Kind.treeline]

/**
 * What a session is like with its edits carried out, as lines that need none: who is written, under which id, and under
 * whom. Where no edit changed anything that is the log, line by line. `labelTargets` says what label entries are about, by
 * ref; of those for nodes that are not in the copy there is nothing to say.
 */
export function planCopy(tree: Tree, leaf: number, labelTargets: ReadonlyMap<number, string>): CopyPlan {
  return new CopyPlanner(tree, labelTargets).plan(leaf)
}

class CopyPlanner {
  private readonly tree: Tree
  private readonly labelTargets: ReadonlyMap<number, string>
  private readonly rings: ReadonlySet<number>
  /** What children of an attached node hang under: the node, or where it would hang if it is left out. */
  private readonly hangs = new Map<number, string | null>([[ROOT, null]])
  private readonly parents = new Map<number, string | null>()
  private readonly attached: ReadonlySet<number>
  private readonly taken: ReadonlySet<number>
  /** Path entries that moved along with a node: before it, and under their own ids where nobody else has those. */
  private readonly runs = new Map<number, CopiedEntry[]>()
  private readonly claimed = new Set<number>()
  /** Those entries by the ids they have in the copy. */
  private readonly moved = new Map<string, CopiedEntry>()
  private readonly aboveAsked = new Map<string, boolean>()
  private readonly stops = new Map<number, string | null>()
  private readonly leftOut: ChosenNodes['leftOut']
  private hasMoves = false
  private derived = 0
  private duplicates = 0

  constructor(tree: Tree, labelTargets: ReadonlyMap<number, string>) {
    this.tree = tree
    this.labelTargets = labelTargets
    const { attached, taken, leftOut } = chooseNodes(tree)
    this.attached = attached
    this.taken = taken
    this.leftOut = leftOut
    const rings = tree.problems().filter(({ type }) => type === 'cycle') as readonly { readonly id: string }[]
    this.rings = new Set(rings.map(({ id }) => tree.ids.find(id)))
  }

  plan(leaf: number): CopyPlan {
    const { tree } = this
    for (const ref of this.attached) this.place(ref)
    const { entries, cutIds } = cutRings(this.list())
    const { hasMoves } = this
    const leftOut = { ...this.leftOut, duplicate: this.duplicates }
    return {
      entries: hasMoves ? parentsFirst(entries) : entries,
      leafId: this.under(attachedLeaf(tree, leaf)),
      isEdited: hasMoves || Object.values(leftOut).some((count) => count > 0),
      leftOut,
      ringIds: [...new Set([...this.rings].map((ref) => tree.ids.textOf(ref)).concat(cutIds))],
    }
  }

  private place(ref: number): void {
    const { tree } = this
    const { columns, ids } = tree
    const body = tree.edits.copies.get(ref)?.body ?? ref
    const above = this.rawParent(body)
    const node = columns.parent[ref]!
    const isMoved = columns.has(ref, Flag.copy) || columns.ownerOf(above) !== node
    if (isMoved) this.hasMoves = true
    const parentId = isMoved ? this.moveRun(ref, above, this.hangs.get(node)!) : this.under(above)
    this.parents.set(ref, parentId)
    this.hangs.set(ref, this.taken.has(ref) ? ids.textOf(ref) : parentId)
  }

  /** The model changes and the like that a node was written under go where it goes. */
  private moveRun(ref: number, from: number, under: string | null): string | null {
    const { columns, ids } = this.tree
    const run: number[] = []
    for (const at of runUp(this.tree, from)) {
      const kind = columns.kind[at]! as Kind
      if (!columns.has(at, Flag.known) || this.tree.generationNode(at) !== undefined) break
      if (placeOf(kind) === 'path' && !OURS.includes(kind)) run.push(at)
    }
    let parentId = under
    const copies: CopiedEntry[] = []
    for (const at of run.reverse()) {
      const bodyId = ids.textOf(at)
      // Siblings that moved together, or one that moved under the other, have it above them already.
      if (this.isAbove(at, under)) continue
      const isFree = !this.isKept(at) && !this.claimed.has(at)
      if (isFree) this.claimed.add(at)
      const id = isFree ? bodyId : this.newId()
      const copy = { id, bodyId, ref: at, parentId }
      this.moved.set(id, copy)
      copies.push(copy)
      parentId = id
    }
    if (copies.length > 0) this.runs.set(ref, copies)
    return parentId
  }

  /** Whether an entry, or a copy of it, stands above already. */
  private isAbove(ref: number, under: string | null): boolean {
    const key = `${ref} ${under}`
    let isFound = this.aboveAsked.get(key)
    if (isFound !== undefined) return isFound
    let at = under
    while (at !== null && this.refOf(at) !== ref) at = this.parentOf(at)
    isFound = at !== null
    this.aboveAsked.set(key, isFound)
    return isFound
  }

  private refOf(id: string): number {
    return this.moved.get(id)?.ref ?? this.tree.ids.find(id)
  }

  private parentOf(id: string): string | null {
    const moved = this.moved.get(id)
    if (moved !== undefined) return moved.parentId ?? null
    const ref = this.tree.ids.find(id)
    if (!this.tree.columns.has(ref, Flag.known)) return null
    return this.parents.has(ref) ? this.parents.get(ref)! : this.under(this.rawParent(ref))
  }

  /** The id in the copy for what hangs under this entry: its own, or that of the nearest one above that is there. */
  private under(ref: number): string | null {
    const { columns, ids } = this.tree
    const passed = new Set<number>()
    let at = ref
    let found: string | null | undefined
    while (found === undefined) {
      // A hostile edit may go to what hangs under it.
      if (passed.has(at)) found = null
      else if (this.hangs.has(at)) found = this.hangs.get(at)!
      else if (this.stops.has(at)) found = this.stops.get(at)!
      else if (!columns.has(at, Flag.known) || this.isKept(at)) found = ids.textOf(at)
      else {
        passed.add(at)
        at = this.nextUp(at)
      }
    }
    for (const one of passed) this.stops.set(one, found)
    return found
  }

  private nextUp(ref: number): number {
    const { columns } = this.tree
    if (columns.has(ref, Flag.node)) return Math.max(ROOT, columns.parent[ref]!)
    // An edit stands where it left the leaf, which may be a copy that has no line to hang under.
    const seat = OURS.includes(columns.kind[ref]! as Kind) ? columns.seatOf(ref) : ref
    return seat === ref ? this.rawParent(ref) : seat
  }

  /** Of what is not a node: whether it has a line in the copy, where it stood. */
  private isKept(ref: number): boolean {
    const { columns, ids } = this.tree
    if (columns.has(ref, Flag.node) || OURS.includes(columns.kind[ref]! as Kind)) return false
    const owner = columns.ownerOf(ref)
    if (owner !== ROOT && !this.attached.has(owner)) return false
    const target = this.labelTargets.get(ref)
    const labelled = target === undefined ? ROOT : ids.find(target)
    return labelled <= ROOT || !columns.has(labelled, Flag.node) || this.taken.has(labelled)
  }

  private rawParent(ref: number): number {
    return this.rings.has(ref) ? ROOT : this.tree.columns.rawParent[ref]!
  }

  private list(): CopiedEntry[] {
    const { tree } = this
    const { columns, ids, heads } = tree
    const entries: CopiedEntry[] = []
    const copies = [...this.attached].filter((ref) => columns.has(ref, Flag.copy))
    copies.sort((a, b) => tree.lineOf(a) - tree.lineOf(b))
    let nextCopy = 0
    const addNode = (ref: number): void => {
      const id = ids.textOf(ref)
      // Also those of a node that is left out: they act on what is below it.
      for (const moved of this.runs.get(ref) ?? []) entries.push(moved)
      if (this.taken.has(ref)) entries.push({ id, bodyId: id, ref, parentId: this.parents.get(ref)! })
    }
    for (let row = 0; row < tree.rowCount; row++) {
      const line = heads.line[row]!
      while (nextCopy < copies.length && tree.lineOf(copies[nextCopy]!) < line) addNode(copies[nextCopy++]!)
      const ref = tree.refAtRow(row)
      const isNode = columns.has(ref, Flag.node)
      const [id, counted] = [ids.textOf(ref), columns.rowOf[ref]!]
      if (isNode && counted === row) {
        if (this.attached.has(ref)) addNode(ref)
      } else if (isNode ? !this.taken.has(ref) : !this.isKept(ref)) continue
      else if (counted === row) entries.push({ id, bodyId: id, ref, parentId: this.under(this.rawParent(ref)) })
      // Other tools take the last line of an id: one that does not count here must not count there.
      else if (row < counted && !OURS.includes(heads.kind[row]! as Kind)) {
        entries.push({ id, bodyId: id, ref, parentId: undefined, shadowedRow: row })
      } else this.duplicates++
    }
    for (; nextCopy < copies.length; nextCopy++) addNode(copies[nextCopy]!)
    return entries
  }

  /** The same whenever the same session is copied. */
  private newId(): string {
    for (;;) {
      const id = deriveEntryId(this.tree.options.sessionId, this.tree.rowCount + 1 + this.derived++)
      if (this.tree.ids.find(id) <= ROOT) return id
    }
  }
}
