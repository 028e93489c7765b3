import { type ChatMessageNode, type ColumnsTree, type DurableEvent, type Role, readColumns } from '@treeline/protocol'
import { ChildLists } from './child-lists.ts'
import { GrowingInts } from './growing.ts'
import { IdPlaces } from './id-places.ts'

const ROLES: readonly Role[] = ['system', 'user', 'assistant', 'tool']

export const NodeFlag = { disabled: 1, detached: 2, generating: 4, error: 8, labelled: 16, deleted: 32 } as const

/** Instead of a parent's place. */
export const TOP = { root: -1, fragment: -2, gone: -3 } as const

type Head = Pick<ColumnsTree, 'rootNodeIds' | 'activeLeafId' | 'fragments' | 'columns'>

/**
 * The whole forest without what its nodes say: a place per node, in the order in which they came. Events change it, and
 * what it holds after them is what the server would send.
 */
export class TreeModel {
  readonly ids: string[]
  /** Place of the parent, or one of `TOP`. */
  readonly parent: GrowingInts
  readonly role: GrowingInts
  readonly flags: GrowingInts
  readonly children: ChildLists
  roots: number[]
  /** Tops of what lies in the stash, oldest cut first. */
  fragments: number[]
  activeLeafId: string | null
  /** Goes up with every change. */
  revision = 0
  /** Goes up when nodes move, go or come back, and stays when one comes at the end. */
  shape = 0
  /** Goes up when a flag of a node changes. */
  marks = 0
  private readonly places: IdPlaces

  constructor({ columns, rootNodeIds, activeLeafId, fragments }: Head) {
    const { id, parent, role, flags, reordered } = readColumns(columns)
    this.ids = id
    this.places = new IdPlaces(id)
    this.parent = new GrowingInts(parent)
    this.role = new GrowingInts(role)
    this.flags = new GrowingInts(flags)
    this.activeLeafId = activeLeafId
    this.children = new ChildLists(parent)
    for (const [nodeId, childIds] of Object.entries(reordered)) this.setChildren(nodeId, childIds)
    this.roots = this.placesOf(rootNodeIds)
    this.fragments = this.placesOf(fragments.map(({ rootId }) => rootId))
  }

  get size(): number {
    return this.ids.length
  }

  /** -1 for one that is not known. */
  place(nodeId: string | null): number {
    return nodeId === null ? -1 : this.places.of(nodeId)
  }

  has(place: number, flag: number): boolean {
    return (this.flags.get(place) & flag) !== 0
  }

  roleOf(place: number): Role {
    return ROLES[this.role.get(place)]!
  }

  parentOf(place: number): number {
    return this.parent.get(place)
  }

  /** The path to a node, from its top down. Ends on any input. */
  pathTo(place: number): number[] {
    const path: number[] = []
    for (let at = place; at >= 0 && path.length <= this.size; at = this.parent.get(at)) path.push(at)
    return path.reverse()
  }

  trunk(): number[] {
    return this.pathTo(this.place(this.activeLeafId))
  }

  /** The siblings of a node, itself among them, in order. */
  siblingsOf(place: number): readonly number[] {
    const above = this.parent.get(place)
    if (above >= 0) return this.children.of(above)
    return above === TOP.root ? this.roots : [place]
  }

  /** A node and all under it, parents first. */
  *subtree(top: number): Generator<number> {
    const open = [top]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      yield at
      const under = this.children.of(at)
      for (let i = under.length - 1; i >= 0; i--) open.push(under[i]!)
    }
  }

  apply(event: DurableEvent): void {
    this.revision++
    switch (event.type) {
      case 'node.created':
        this.take(event.node)
        return
      case 'node.completed':
      case 'node.failed':
        this.take(event.node)
        return
      case 'node.state.updated':
        this.setEnabled(event.patch.id, event.patch.isEnabled)
        return
      case 'nodes.state.updated':
        for (const { id, isEnabled } of event.patches) this.setEnabled(id, isEnabled)
        return
      case 'node.metadata.updated':
        this.mark(this.place(event.id), NodeFlag.labelled, (event.metadata.labels?.length ?? 0) > 0)
        return
      case 'tree.pruned':
        for (const { rootId } of event.fragments) this.putAside(this.place(rootId))
        return
      case 'tree.grafted':
        this.takeAll(event.nodes)
        return
      case 'nodes.restored':
        this.takeAll(event.nodes)
        return
      case 'tree.reordered':
        this.reorder(event.parentId, event.childrenIds)
        return
      case 'nodes.deleted':
        for (const id of event.ids) this.remove(this.place(id), event.how)
        return
      case 'active_leaf.updated':
        this.activeLeafId = event.activeLeafId
        return
      default:
        return
    }
  }

  setEnabled(nodeId: string, isEnabled: boolean): void {
    this.revision++
    this.mark(this.place(nodeId), NodeFlag.disabled, !isEnabled)
  }

  setFailed(nodeId: string): void {
    this.mark(this.place(nodeId), NodeFlag.error, true)
  }

  /** Nodes as they are now, wherever they hung before. */
  private takeAll(nodes: readonly ChatMessageNode[]): void {
    for (const node of nodes) this.take(node)
    for (const { id, childrenIds } of nodes) if (childrenIds.length > 0) this.reorder(id, childrenIds)
  }

  private take(node: ChatMessageNode): void {
    const known = this.place(node.id)
    const place = known >= 0 ? known : this.add(node)
    this.mark(place, NodeFlag.disabled, !node.isEnabled)
    this.mark(place, NodeFlag.generating, node.status === 'generating')
    this.mark(place, NodeFlag.error, node.status === 'error')
    this.mark(place, NodeFlag.labelled, (node.metadata?.labels?.length ?? 0) > 0)
    if (node.detached !== undefined) this.putAside(place)
    else this.hang(place, node.parentId === null ? TOP.root : this.place(node.parentId))
  }

  private add({ id, role }: ChatMessageNode): number {
    const place = this.ids.length
    this.ids.push(id)
    this.places.note(id, place)
    this.parent.push(TOP.gone)
    this.role.push(ROLES.indexOf(role))
    this.flags.push(0)
    return place
  }

  private mark(place: number, flag: number, isSet: boolean): void {
    if (place < 0) return
    const flags = this.flags.get(place)
    const next = isSet ? flags | flag : flags & ~flag
    if (next === flags) return
    this.flags.set(place, next)
    this.marks++
  }

  private hang(place: number, above: number): void {
    const before = this.parent.get(place)
    if (above === -1 && before === TOP.root && this.roots.includes(place)) return
    if (before === above && above >= 0) return
    this.letGo(place)
    this.parent.set(place, above)
    if (above >= 0) this.children.own(above).push(place)
    else this.roots.push(place)
    this.bringBack(place, above >= 0 && this.has(above, NodeFlag.detached))
  }

  private putAside(place: number): void {
    if (place < 0 || (this.parent.get(place) === TOP.fragment && this.fragments.includes(place))) return
    this.letGo(place)
    this.parent.set(place, TOP.fragment)
    this.fragments.push(place)
    this.bringBack(place, true)
  }

  /** Of all that hangs under it too: nobody has to walk up to know. */
  private bringBack(top: number, isDetached: boolean): void {
    if (this.has(top, NodeFlag.deleted)) this.shape++
    for (const place of this.subtree(top)) {
      this.mark(place, NodeFlag.deleted, false)
      this.mark(place, NodeFlag.detached, isDetached)
    }
  }

  private remove(place: number, how: 'subtree' | 'splice'): void {
    if (place < 0) return
    const above = this.parent.get(place)
    const under = [...this.children.of(place)]
    const list = this.listOf(above)
    const at = list?.indexOf(place) ?? -1
    this.letGo(place)
    this.parent.set(place, TOP.gone)
    if (how === 'splice') {
      this.children.set(place, [])
      for (const child of under) this.parent.set(child, above)
      if (list !== undefined) list.splice(Math.max(0, at), 0, ...under)
      else for (const child of under) this.putAside(child)
      this.mark(place, NodeFlag.deleted, true)
      return
    }
    for (const one of this.subtree(place)) this.mark(one, NodeFlag.deleted, true)
  }

  private letGo(place: number): void {
    const list = this.listOf(this.parent.get(place))
    const at = list?.indexOf(place) ?? -1
    if (at < 0) return
    list!.splice(at, 1)
    this.shape++
  }

  /** Where a node with such a parent is listed; of those that are gone nowhere. */
  private listOf(above: number): number[] | undefined {
    if (above >= 0) return this.children.own(above)
    if (above === TOP.root) return this.roots
    return above === TOP.fragment ? this.fragments : undefined
  }

  private reorder(parentId: string | null, childrenIds: readonly string[]): void {
    for (const place of this.placesOf(childrenIds))
      this.hang(place, parentId === null ? TOP.root : this.place(parentId))
    this.shape++
    if (parentId === null) this.roots = this.placesOf(childrenIds)
    else this.setChildren(parentId, childrenIds)
  }

  private setChildren(parentId: string, childrenIds: readonly string[]): void {
    const place = this.place(parentId)
    if (place >= 0) this.children.set(place, this.placesOf(childrenIds))
  }

  private placesOf(ids: readonly string[]): number[] {
    return ids.map((id) => this.place(id)).filter((place) => place >= 0)
  }
}
