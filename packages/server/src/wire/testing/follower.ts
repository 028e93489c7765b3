import type { ChatMessageNode, DurableEvent } from '@treeline/protocol'

/**
 * A small client: what it knows of a tree comes from events alone. It never forgets a node: what was deleted hangs on
 * nothing any more, and a later line may speak of what hung under it.
 */
export class Follower {
  private readonly nodes = new Map<string, ChatMessageNode>()
  private readonly stash = new Set<string>()
  roots: string[] = []

  /** What hangs on a root or lies in the stash. */
  living(): ChatMessageNode[] {
    const found: ChatMessageNode[] = []
    const open = [...this.roots, ...this.stash]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const node = this.nodes.get(id)
      if (node === undefined) continue
      found.push(node)
      open.push(...node.childrenIds)
    }
    return found
  }

  apply(event: DurableEvent): void {
    switch (event.type) {
      case 'node.created':
        this.nodes.set(event.node.id, event.node)
        this.hang(event.node.id, event.node.parentId)
        return
      case 'node.completed':
      case 'node.failed':
        this.update(event.node.id, event.node)
        return
      case 'nodes.state.updated':
        for (const { id, isEnabled } of event.patches) this.update(id, { isEnabled })
        return
      case 'node.metadata.updated':
        this.update(event.id, { metadata: event.metadata })
        return
      case 'tree.pruned':
        for (const { fragmentId } of event.fragments) this.putAside(fragmentId)
        return
      case 'tree.grafted':
        if (event.mode === 'move') this.letGo(event.sourceId)
        this.take(event.nodes)
        return
      case 'nodes.restored':
        this.take(event.nodes)
        return
      case 'tree.reordered':
        this.setChildren(event.parentId, event.childrenIds)
        for (const id of event.childrenIds) this.moveTo(id, event.parentId)
        return
      case 'nodes.deleted':
        for (const id of event.ids) this.remove(id, event.how)
        return
      default:
        return
    }
  }

  /** Nodes as they are: those that hang under nothing and are in no stash are roots. */
  private take(nodes: readonly ChatMessageNode[]): void {
    for (const { id, parentId, detached } of nodes) {
      if (detached === undefined) this.moveTo(id, parentId)
      else this.putAside(id)
    }
    for (const node of nodes) this.nodes.set(node.id, node)
    for (const { id, parentId, detached, childrenIds } of nodes) {
      if (detached === undefined) this.hang(id, parentId)
      for (const child of childrenIds) this.moveTo(child, id)
    }
  }

  private hang(id: string, parentId: string | null): void {
    const siblings = this.childrenOf(parentId)
    if (!siblings.includes(id)) this.setChildren(parentId, [...siblings, id])
  }

  /** Out of every list but that of the parent. */
  private moveTo(id: string, parentId: string | null): void {
    for (const [other, { childrenIds }] of this.nodes) {
      if (other !== parentId && childrenIds.includes(id)) this.setChildren(other, without(childrenIds, id))
    }
    if (parentId !== null) this.roots = without(this.roots, id)
    this.stash.delete(id)
    this.update(id, { parentId })
  }

  private putAside(id: string): void {
    this.letGo(id)
    this.stash.add(id)
  }

  private letGo(id: string): void {
    this.moveTo(id, null)
    this.roots = without(this.roots, id)
  }

  private remove(id: string, how: 'subtree' | 'splice'): void {
    const node = this.nodes.get(id)
    if (node === undefined) return
    const { parentId, childrenIds } = node
    const at = this.childrenOf(parentId).indexOf(id)
    const wasInStash = this.stash.has(id)
    this.letGo(id)
    if (how === 'subtree') return
    this.update(id, { childrenIds: [] })
    if (at >= 0) this.setChildren(parentId, this.childrenOf(parentId).toSpliced(at, 0, ...childrenIds))
    for (const child of childrenIds) {
      if (wasInStash) this.putAside(child)
      else this.update(child, { parentId })
    }
  }

  private childrenOf(parentId: string | null): string[] {
    return parentId === null ? this.roots : (this.nodes.get(parentId)?.childrenIds ?? [])
  }

  private setChildren(parentId: string | null, childrenIds: string[]): void {
    if (parentId === null) this.roots = childrenIds
    else this.update(parentId, { childrenIds })
  }

  private update(id: string, change: Partial<ChatMessageNode>): void {
    const node = this.nodes.get(id)
    if (node !== undefined) this.nodes.set(id, { ...node, ...change })
  }
}

function without(ids: readonly string[], id: string): string[] {
  return ids.filter((one) => one !== id)
}
