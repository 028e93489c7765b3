import { applyDelta, type EphemeralEvent } from '@treeline/protocol'

/** Text is drawn anew at most so often; each time takes the screen a frame or two. */
const PACE_MS = 60
/** While somebody types, what is typed comes first: a key that meets such a frame would wait for the next. */
const TYPING_PACE_MS = 250
const TYPING_MS = 700

/** Text of answers on their way. Whoever shows one listens to that one alone: no token makes the tree draw itself anew. */
export class LiveTexts {
  private readonly told = new Map<
    string,
    { readonly at: number; readonly next: ReturnType<typeof setTimeout> | undefined }
  >()
  private readonly texts = new Map<string, { readonly text: string; readonly thinking: string }>()
  private readonly listeners = new Map<string, Set<() => void>>()

  private typedAt = Number.NEGATIVE_INFINITY

  /** Somebody types. */
  giveWay(): void {
    this.typedAt = performance.now()
  }

  get(nodeId: string): { readonly text: string; readonly thinking: string } | undefined {
    return this.texts.get(nodeId)
  }

  subscribe(nodeId: string, onChange: () => void): () => void {
    const ofNode = this.listeners.get(nodeId) ?? new Set()
    this.listeners.set(nodeId, ofNode)
    ofNode.add(onChange)
    return () => {
      ofNode.delete(onChange)
      if (ofNode.size === 0) this.listeners.delete(nodeId)
    }
  }

  /** Gives from where on text is missing, when some is. */
  apply(event: EphemeralEvent): { readonly nodeId: string; readonly from: number } | undefined {
    if (event.type === 'node.content.snapshot') {
      this.set(event.id, { text: event.content, thinking: this.texts.get(event.id)?.thinking ?? '' })
      return undefined
    }
    const { id, contentChunk, offset, partType } = event.patch
    const before = this.texts.get(id) ?? { text: '', thinking: '' }
    const kind = partType === 'thinking' ? 'thinking' : 'text'
    const applied = applyDelta(before[kind], { contentChunk, offset })
    if (applied === undefined) return kind === 'text' ? { nodeId: id, from: before.text.length } : undefined
    this.set(id, { ...before, [kind]: applied })
    return undefined
  }

  /** Its end has told it all. */
  end(nodeId: string): void {
    clearTimeout(this.told.get(nodeId)?.next)
    this.told.delete(nodeId)
    if (this.texts.delete(nodeId)) this.tell(nodeId)
  }

  private set(nodeId: string, said: { readonly text: string; readonly thinking: string }): void {
    this.texts.set(nodeId, said)
    const { at = Number.NEGATIVE_INFINITY, next } = this.told.get(nodeId) ?? {}
    if (next !== undefined || !this.listeners.has(nodeId)) return
    const now = performance.now()
    const tellNow = (): void => {
      this.told.set(nodeId, { at: performance.now(), next: undefined })
      this.tell(nodeId)
    }
    const pace = now - this.typedAt < TYPING_MS ? TYPING_PACE_MS : PACE_MS
    if (now - at >= pace) tellNow()
    else this.told.set(nodeId, { at, next: setTimeout(tellNow, at + pace - now) })
  }

  private tell(nodeId: string): void {
    for (const listener of [...(this.listeners.get(nodeId) ?? [])]) listener()
  }
}
