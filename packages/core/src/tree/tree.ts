import { type Head, Heads, ParentForm, resized, roomier } from '../codec/heads.ts'
import { replayEdit } from '../edit/replay.ts'
import { EditState } from '../edit/state.ts'
import { Kind, placeOf, Role, treeReadsBody } from '../entry/kind.ts'
import { deriveEntryId } from '../migrate/derive-entry-id.ts'
import { type Columns, Flag, ROOT } from './columns.ts'
import type { IdTable } from './id-table.ts'
import { findOrphans } from './orphans.ts'
import { settleOwners } from './owners.ts'
import { emptyParts, type SavedPages, type TreeParts } from './parts.ts'
import type { TreeProblem } from './problem.ts'

export interface TreeOptions {
  readonly sessionId?: string
  /** Of the header; entries of versions below 2 have no ids of their own. */
  readonly version?: number
}

/** What has looked at part of a tree and may want the rest as it was. */
export interface Unseen {
  look(): unknown
}

/** More are gone through for those nobody uses any more. */
const MAX_UNSEEN = 64

/**
 * A session's tree, built from heads as they come: O(1) for a line that follows its parent, one rebuild for a batch that
 * does not. Refs number the ids of this session and stay the same for the life of the tree.
 */
export class Tree {
  readonly heads: Heads
  readonly ids: IdTable
  readonly columns: Columns
  edits: EditState
  /** The entry at which the log ends by the leaf law, ROOT for none. */
  leaf: number
  private readonly sessionId: string
  private readonly version: number
  private refOfRow: Int32Array
  private taken = 0
  private outOfOrder = false
  private stuck = false
  /** False during a rebuild of a log without announced generations. */
  private mayAnnounce = true
  private trouble: TreeProblem[]
  private readonly farGenerations: Map<number, number>
  private readonly cut: Set<number>
  private readonly saved: SavedPages | undefined
  /** By what they look at. */
  private readonly unseen = new Map<number, WeakRef<Unseen>>()

  /** `parts` are those of the rows that `heads` has from saved columns. */
  constructor(heads: Heads = new Heads(), options: TreeOptions = {}, parts: TreeParts = emptyParts(heads)) {
    this.heads = heads
    this.ids = parts.ids
    this.columns = parts.columns
    this.refOfRow = parts.refOfRow
    this.edits = parts.edits
    this.leaf = parts.leaf
    this.trouble = [...parts.trouble]
    this.farGenerations = new Map(parts.farGenerations)
    this.cut = new Set(parts.cut)
    this.saved = parts.pages
    this.sessionId = options.sessionId ?? ''
    this.version = options.version ?? 3
    this.taken = heads.savedRows
    this.sync()
  }

  /**
   * True when a line came that changes how earlier ones are read, and those are known from saved columns only. The tree
   * then stays as it was before that line; the log must be read anew.
   */
  get needsRescan(): boolean {
    return this.stuck
  }

  get options(): Required<TreeOptions> {
    return { sessionId: this.sessionId, version: this.version }
  }

  /** Single entries without all others, as long as nothing has come to what was restored. */
  get pages(): SavedPages | undefined {
    return this.taken === this.heads.savedRows && !this.stuck ? this.saved : undefined
  }

  /**
   * Has something look at an entry before the tree changes. Held weakly: what nobody uses any more needs no look. One for
   * each entry (`unseenAt`): until they are collected, those that were let go of look as well.
   */
  showBeforeChange(ref: number, looker: Unseen): void {
    const { unseen } = this
    if (unseen.size >= MAX_UNSEEN) {
      for (const [at, known] of unseen) if (known.deref() === undefined) unseen.delete(at)
    }
    unseen.set(ref, new WeakRef(looker))
  }

  /** What will look at this entry, if something does. */
  unseenAt(ref: number): Unseen | undefined {
    return this.unseen.get(ref)?.deref()
  }

  /** The living parts, to be saved before anything else happens to the tree. */
  parts(): TreeParts {
    const { ids, columns, refOfRow, edits, leaf, trouble, farGenerations, cut } = this
    this.heads.filling.run()
    return { ids, columns, refOfRow, edits, leaf, trouble, farGenerations, cut }
  }

  /** Reads all that a restored tree has put off, so that nothing of it can fail later. */
  load(): void {
    this.columns.fillIn()
    this.heads.timing.run()
    this.ids.load()
    this.edits.marking.run()
    this.edits.fetching.run()
  }

  /** Adds one entry and takes it in. */
  append(head: Head): number {
    const row = this.heads.push(head)
    this.sync()
    return this.refOfRow[row]!
  }

  /** Takes in the rows that were added to the heads since the last call. */
  sync(): void {
    const { heads } = this
    if (heads.count === this.taken) return
    this.columns.fillIn()
    this.lookBeforeChange()
    if (heads.count > this.refOfRow.length) {
      this.refOfRow = resized(this.refOfRow, Math.max(heads.count, roomier(this.refOfRow.length)))
    }
    while (this.taken < heads.count && !this.stuck) {
      if (!this.outOfOrder && this.version >= 2) this.takePlainRows()
      if (this.taken < heads.count) this.takeRow(this.taken++)
      if (this.outOfOrder && heads.savedRows > 0) this.getStuck()
    }
    if (this.outOfOrder) this.rebuild()
  }

  private lookBeforeChange(): void {
    const lookers = [...this.unseen.values()]
    this.unseen.clear()
    for (const looker of lookers) looker.deref()?.look()
  }

  /** What had to be coped with, by line. */
  problems(): readonly TreeProblem[] {
    const line = (problem: TreeProblem) => ('line' in problem ? problem.line : problem.lines.at(-1)!)
    return [...this.trouble, ...findOrphans(this)].sort((a, b) => line(a) - line(b) || a.type.localeCompare(b.type))
  }

  /** Number of rows taken in. */
  get rowCount(): number {
    return this.taken
  }

  refAtRow(row: number): number {
    if (this.saved !== undefined && this.heads.filling.isPending) return this.saved.rows.refOf(row)
    this.heads.filling.run()
    return this.refOfRow[row]!
  }

  /** The node that a `treeline/generation` entry announces. */
  generationNode(ref: number): number | undefined {
    if (this.columns.kind[ref] !== Kind.generation) return undefined
    const seat = this.columns.seatOf(ref)
    return seat === ref || seat === ROOT ? undefined : seat
  }

  /** The `treeline/generation` entry that announced a node. */
  private generationOf(node: number): number | undefined {
    return node > 1 && this.generationNode(node - 1) === node ? node - 1 : this.farGenerations.get(node)
  }

  /** The id under which something hung on this entry stands on disk; `null` above the roots. */
  anchorId(ref: number): string | null {
    if (ref === ROOT) return null
    const generation = this.columns.has(ref, Flag.generating) ? this.generationOf(ref) : undefined
    return this.edits.copies.get(ref)?.anchorId ?? this.ids.textOf(generation ?? ref)
  }

  /** What an entry stands under: what its line hangs under, but of an edit that moved the leaf, where it moved it to. */
  above(ref: number): number {
    const { columns } = this
    const above = columns.rawParent[ref]!
    if (columns.kind[ref] !== Kind.edit) return above
    const seat = columns.seatOf(ref)
    return seat === columns.seatOf(above) ? above : seat
  }

  /** Whether there are entries whose lines name another parent than `rawParent` does. */
  get hasCut(): boolean {
    return this.cut.size > 0
  }

  /** Whether this is one: it was in a ring or under itself, or was announced elsewhere. */
  isCut(ref: number): boolean {
    return this.cut.has(ref)
  }

  /** The row whose line holds this entry's body, -1 while it is being generated. */
  bodyRow(ref: number): number {
    const body = this.edits.copies.get(ref)?.body ?? ref
    if (this.saved !== undefined && this.heads.filling.isPending) return this.saved.rows.rowOf(body)
    return this.columns.rowOf[body]!
  }

  /** The row that stands for this entry in the order of the log; for an answer that of its announcement. */
  orderOf(ref: number): number {
    return this.columns.rowOf[this.generationOf(ref) ?? ref]!
  }

  /** The line that brought this entry. */
  lineOf(ref: number): number {
    const row = this.columns.rowOf[ref]!
    if (row >= 0) return this.heads.line[row]!
    const generation = this.generationOf(ref)
    return generation === undefined ? (this.edits.copies.get(ref)?.line ?? 0) : this.lineOf(generation)
  }

  /** The line that changed this node last: its own, or that of an edit. */
  versionOf(ref: number): number {
    return Math.max(this.lineOf(ref), this.edits.changedAt.get(ref) ?? 0)
  }

  /**
   * Nearly all of a log: new nodes, each under an entry that is there already. Stops at the first row that is not. Ids of
   * eight bytes and first children are dealt with on the spot: when a log is opened first, none of this is compiled.
   */
  private takePlainRows(): void {
    const { heads, columns, ids, refOfRow } = this
    columns.ensure(ids.count + heads.count - this.taken)
    const { rowOf, kind, role, rawParent, flags, parent: parents, firstChild, prev, next } = columns
    const { count, idBytes, idEnd, hasId, savedRows, kind: headKind, role: headRole } = heads
    const words = new Int32Array(idBytes.buffer, 0, idBytes.length >>> 2)
    let row = this.taken
    let previous = row === 0 ? ROOT : refOfRow[row - 1]!
    /** Where the id of the row before is in `words`, if it is a usual one. */
    let idBefore = -1
    for (; row < count; row++) {
      const place = (row - savedRows) * 2
      const start = place === 0 ? 0 : idEnd[place - 1]!
      const end = idEnd[place]!
      if (IS_NODE[headKind[row]!] === 0 || hasId[row] === 0 || start === end) break
      const isUsual = (start & 3) === 0 && end - start === 8
      const above = end >>> 2
      const follows =
        idBefore >= 0 &&
        isUsual &&
        idEnd[place + 1] === end + 8 &&
        words[above] === words[idBefore] &&
        words[above + 1] === words[idBefore + 1]
      const parent = follows ? previous : this.knownParentOfRow(row, previous)
      if (parent < 0) break
      const ref = isUsual
        ? ids.internWords(words[start >>> 2]!, words[(start >>> 2) + 1]!)
        : ids.intern(idBytes, start, end)
      if (flags[ref] !== 0 || ref === parent) break
      refOfRow[row] = ref
      rowOf[ref] = row
      kind[ref] = headKind[row]!
      role[ref] = headRole[row]!
      rawParent[ref] = parent
      flags[ref] = Flag.known | Flag.node
      const owner = (flags[parent]! & Flag.node) !== 0 ? parent : columns.ownerOf(parent)
      if (firstChild[owner] === 0 && firstChild[ref] === 0) {
        firstChild[owner] = ref
        prev[ref] = ref
        next[ref] = -1
        parents[ref] = owner
      } else columns.append(ref, owner)
      previous = ref
      idBefore = isUsual ? start >>> 2 : -1
    }
    if (row > this.taken) this.leaf = previous
    this.taken = row
  }

  /** -1 when the parent is not there, or not named at all. */
  private knownParentOfRow(row: number, previous: number): number {
    const { heads, ids, columns } = this
    const fresh = row - heads.savedRows
    const form = heads.parentForm[fresh]
    if (form !== ParentForm.id) return form === ParentForm.root ? ROOT : -1
    const start = heads.idEnd[fresh * 2]!
    const end = heads.idEnd[fresh * 2 + 1]!
    if (heads.isIdOf(row - 1, start, end)) return previous
    const parent = ids.lookUp(heads.idBytes, start, end)
    return parent > ROOT && !columns.has(parent, Flag.known) ? -1 : parent
  }

  private takeRow(row: number): void {
    const { heads, columns } = this
    const previous = row === 0 ? ROOT : this.refOfRow[row - 1]!
    const ref = this.idOfRow(row)
    let parent = this.parentOfRow(row, previous)
    columns.ensure(this.ids.count)
    this.refOfRow[row] = ref
    let isCut = parent === ref
    if (isCut) {
      this.trouble.push({ type: 'self_parent', id: this.ids.textOf(ref), line: heads.line[row]! })
      parent = ROOT
    }
    if (columns.has(ref, Flag.known) && !this.replaces(row, ref, parent)) {
      if (!this.outOfOrder) this.moveLeaf(ref)
      return
    }
    const fresh = !columns.has(ref, Flag.known)
    const kind = heads.kind[row]! as Kind
    if (parent !== ROOT && !columns.has(parent, Flag.known)) columns.flags[parent]! |= Flag.awaited
    if (columns.has(ref, Flag.awaited) || this.announcesAwaited(row)) this.outOfOrder = true
    if (this.outOfOrder && heads.savedRows > 0) return
    columns.rowOf[ref] = row
    columns.kind[ref] = kind
    columns.role[ref] = heads.role[row]!
    if (!columns.has(ref, Flag.generating)) columns.rawParent[ref] = parent
    else if (parent !== columns.rawParent[ref]) isCut = true
    if (isCut) this.cut.add(ref)
    else if (this.cut.size > 0) this.cut.delete(ref)
    columns.flags[ref] =
      (columns.flags[ref]! & ~(Flag.generating | Flag.node)) | Flag.known | (isNode(kind) ? Flag.node : 0)
    if (kind === Kind.generation) this.announce(row, ref)
    if (this.outOfOrder) return
    if (fresh) this.settle(row, ref)
    this.moveLeaf(ref)
  }

  /** Whether a line whose id is known already counts: as the end of a generation, or as a later duplicate (X20). */
  private replaces(row: number, ref: number, parent: number): boolean {
    const { columns, heads } = this
    const kind = heads.kind[row]! as Kind
    // An answer stays where it was announced, whatever its own line says.
    if (columns.has(ref, Flag.generating) && kind === Kind.message) return true
    const lines = [this.lineOf(ref), heads.line[row]!]
    this.trouble.push({ type: 'duplicate_id', id: this.ids.textOf(ref), lines })
    const isAnswer = this.generationOf(ref) !== undefined && kind !== Kind.message
    if (isAnswer || columns.has(ref, Flag.copy | Flag.generating)) return false
    if (treeReadsBody(columns.kind[ref]! as Kind) || treeReadsBody(kind)) return false
    if (this.cut.has(ref) || parent !== columns.rawParent[ref] || kind !== columns.kind[ref]) this.outOfOrder = true
    return true
  }

  private idOfRow(row: number): number {
    const { heads } = this
    const start = heads.idStart(row)
    const end = heads.idEnd[(row - heads.savedRows) * 2]!
    if (this.version < 2 || !heads.hasId[row] || start === end) {
      return this.ids.internText(deriveEntryId(this.sessionId, row + 1))
    }
    return this.ids.intern(heads.idBytes, start, end)
  }

  private parentOfRow(row: number, previous: number): number {
    const { heads } = this
    const fresh = row - heads.savedRows
    const form = heads.parentForm[fresh]
    if (this.version < 2 || form === ParentForm.missing) return previous
    if (form === ParentForm.root) return ROOT
    const start = heads.idEnd[fresh * 2]!
    const end = heads.idEnd[fresh * 2 + 1]!
    if (heads.isIdOf(row - 1, start, end)) return previous
    return this.ids.intern(heads.idBytes, start, end)
  }

  /** Puts an entry in its place; its parent is settled by now. */
  private settle(row: number, ref: number): void {
    const { columns, heads } = this
    const kind = heads.kind[row]! as Kind
    const above = columns.rawParent[ref]!
    const place = placeOf(kind)
    if (place === 'node') {
      this.hang(ref, columns.ownerOf(above))
      return
    }
    columns.setOwner(ref, columns.ownerOf(above))
    if (place === 'aside') columns.setSeat(ref, columns.seatOf(above))
    if (kind === Kind.generation) this.settleAnnounced(ref)
    else if (treeReadsBody(kind)) this.edit(row, ref)
    if (kind === Kind.edit) this.seatEdit(row, ref)
  }

  /**
   * Edits and announcements may have put a parent that comes late under its own child by now: then the late one is a root.
   * Where there are none, no way up is looked at, which may be long, for each of many.
   */
  private hang(ref: number, parent: number): void {
    const { columns, edits } = this
    const mayBeRing = columns.firstChild[ref] !== 0 && parent !== ROOT && (this.mayAnnounce || edits.records.length > 0)
    const isRing = ref === parent || (mayBeRing && columns.isWithin(parent, ref))
    if (isRing) this.trouble.push({ type: 'cycle', id: this.ids.textOf(ref), line: this.lineOf(ref), length: 0 })
    columns.append(ref, isRing ? ROOT : parent)
  }

  /** What hangs under an edit that moved the leaf belongs where it moved it to, also when that is a copy. */
  private seatEdit(row: number, ref: number): void {
    const leaf = this.statedLeaf(row)
    if (leaf === undefined) return
    this.columns.setSeat(ref, leaf)
    this.columns.setOwner(ref, this.columns.ownerOf(leaf))
    const copy = this.edits.copies.get(leaf)
    if (copy !== undefined) this.edits.copies.set(leaf, { ...copy, anchorId: this.ids.textOf(ref) })
  }

  private edit(row: number, ref: number): void {
    const { heads } = this
    const body = heads.bodies.get(row)
    if (body === undefined) return
    const id = this.ids.textOf(ref)
    const line = heads.line[row]!
    const reason = replayEdit(this, { id, kind: heads.kind[row]! as Kind, line, body, leaf: this.leaf })
    if (reason !== undefined) this.trouble.push({ type: 'edit_failed', id, line, reason })
  }

  /** A generation stands for the node it announces until that node's own line comes. */
  private announce(row: number, ref: number): void {
    const { columns } = this
    const nodeId = this.announcedId(row)
    if (nodeId === undefined) return
    const node = this.ids.internText(nodeId)
    columns.ensure(this.ids.count)
    if (columns.has(node, Flag.known)) return
    columns.setSeat(ref, node)
    if (node !== ref + 1) this.farGenerations.set(node, ref)
    columns.rowOf[node] = -1
    columns.kind[node] = Kind.message
    columns.role[node] = Role.assistant
    columns.rawParent[node] = columns.rawParent[ref]!
    columns.flags[node]! |= Flag.known | Flag.node | Flag.generating
  }

  private announcedId(row: number): string | undefined {
    const data = this.heads.bodies.get(row)?.data as Readonly<Record<string, unknown>> | undefined
    return typeof data?.nodeId === 'string' && data.nodeId !== '' ? data.nodeId : undefined
  }

  private announcesAwaited(row: number): boolean {
    const nodeId = this.heads.kind[row] === Kind.generation ? this.announcedId(row) : undefined
    const node = nodeId === undefined ? ROOT : this.ids.find(nodeId)
    return node > ROOT && this.columns.has(node, Flag.awaited) && !this.columns.has(node, Flag.known)
  }

  private settleAnnounced(ref: number): void {
    const { columns } = this
    const node = this.generationNode(ref)
    if (node === undefined) return
    columns.setOwner(ref, node)
    this.hang(node, columns.ownerOf(columns.rawParent[ref]!))
  }

  /** The leaf law: the log ends at its last line, or for an edit, a label or a name at what it hangs under. */
  private moveLeaf(ref: number): void {
    this.leaf = this.columns.seatOf(ref)
  }

  /** Where an edit says it leaves the leaf: needed for copies, which have no line to hang under. */
  private statedLeaf(row: number): number | undefined {
    const data = this.heads.bodies.get(row)?.data as { readonly ops?: unknown } | undefined
    const last = Array.isArray(data?.ops) ? (data.ops.at(-1) as Record<string, unknown> | null) : undefined
    if (last?.op !== 'leaf' || typeof last.leafId !== 'string') return undefined
    const ref = this.ids.find(last.leafId)
    return ref > ROOT && this.columns.has(ref, Flag.known) ? this.columns.seatOf(ref) : undefined
  }

  /** Starts over with all parents known: for children that came before their parents, rings, changed duplicates. */
  private rebuild(): void {
    const { columns } = this
    columns.clear()
    this.edits = new EditState()
    this.farGenerations.clear()
    this.cut.clear()
    this.trouble = []
    this.leaf = ROOT
    this.outOfOrder = true
    for (let row = 0; row < this.taken; row++) this.takeRow(row)
    this.mayAnnounce = this.heads.kind.subarray(0, this.taken).includes(Kind.generation)
    columns.settled = settleOwners(this, (ref, length) => {
      this.cut.add(ref)
      this.trouble.push({ type: 'cycle', id: this.ids.textOf(ref), line: this.lineOf(ref), length })
    })
    this.outOfOrder = false
    // An edit sees what came before it and nothing else, as it did when it was written.
    const flags = columns.flags.slice(0, this.ids.count)
    columns.flags.fill(0)
    const settled = new Uint8Array(this.ids.count)
    const reveal = (ref: number): boolean => {
      if (settled[ref]) return false
      settled[ref] = 1
      columns.flags[ref] = flags[ref]!
      return true
    }
    for (let row = 0; row < this.taken; row++) {
      const ref = this.refOfRow[row]!
      if (columns.has(ref, Flag.copy)) this.passOver(row, ref)
      else if (reveal(ref)) {
        const node = this.generationNode(ref)
        if (node !== undefined) reveal(node)
        this.settle(columns.rowOf[ref]!, ref)
      }
      this.moveLeaf(ref)
    }
    for (let ref = 1; ref < flags.length; ref++) {
      if (!settled[ref] && !columns.has(ref, Flag.copy)) columns.flags[ref]! |= flags[ref]! & Flag.awaited
    }
    columns.settled = undefined
    this.mayAnnounce = true
  }

  /** A line with the id of a copy that an edit has made before it. */
  private passOver(row: number, ref: number): void {
    const { columns, heads } = this
    columns.rowOf[ref] = -1
    columns.rawParent[ref] = ROOT
    this.trouble.push({ type: 'duplicate_id', id: this.ids.textOf(ref), lines: [this.lineOf(ref), heads.line[row]!] })
  }

  /** The row that cannot be taken is left, and everything after it: no node has changed its place. */
  private getStuck(): void {
    this.taken--
    this.outOfOrder = false
    this.stuck = true
  }
}

/** By kind. */
const IS_NODE = Uint8Array.from(Object.values(Kind), (kind) => (placeOf(kind) === 'node' ? 1 : 0))

function isNode(kind: Kind): boolean {
  return placeOf(kind) === 'node'
}
