import type { ChatMessageNode, SkeletonNode } from '@treeline/protocol'

const MAX_CHARS = 16 * 1024 * 1024
const MAX_NODES = 20_000

/** What nodes say, of those that were looked at lately. The rest can be asked for again. */
export class Bodies {
  private readonly nodes = new Map<string, ChatMessageNode>()
  private readonly previews = new Map<string, SkeletonNode>()
  private chars = 0

  get(id: string): ChatMessageNode | undefined {
    return this.nodes.get(id)
  }

  /** One line to know a node by, when that much is known. */
  preview(id: string): string | undefined {
    return this.nodes.get(id)?.content.slice(0, 400) ?? this.previews.get(id)?.preview
  }

  set(node: ChatMessageNode): void {
    this.delete(node.id)
    this.nodes.set(node.id, node)
    this.chars += node.content.length
    for (const oldest of this.nodes.keys()) {
      if (this.chars <= MAX_CHARS && this.nodes.size <= MAX_NODES) return
      this.delete(oldest)
    }
  }

  setPreview(node: SkeletonNode): void {
    this.previews.set(node.id, node)
    if (this.previews.size <= MAX_NODES) return
    const [oldest] = this.previews.keys()
    this.previews.delete(oldest!)
  }

  update(id: string, change: Partial<ChatMessageNode>): void {
    const node = this.nodes.get(id)
    if (node !== undefined) this.nodes.set(id, { ...node, ...change })
  }

  private delete(id: string): void {
    this.chars -= this.nodes.get(id)?.content.length ?? 0
    this.nodes.delete(id)
  }
}
