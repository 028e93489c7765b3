import { piecesOf } from './text-pieces.ts'

type Kind = 'text' | 'thinking'

interface Said {
  all: string
  /** The end of it that nobody was told of. */
  pending: string
}

export interface Chunk {
  readonly nodeId: string
  readonly kind: Kind
  readonly text: string
  /** In UTF-16 units of its kind. */
  readonly offset: number
}

export interface RunningTextsOptions {
  readonly tell: (chunk: Chunk) => void
  /** Text of a node comes after the event that tells of the node. */
  readonly isKnown: (nodeId: string) => boolean
}

const EVERY_MS = 30
const AT_CHARS = 4_096

/** What answers on their way say so far. Told in pieces that are worth a frame, and no character is split between two. */
export class RunningTexts {
  private readonly options: RunningTextsOptions
  private readonly byNode = new Map<string, Record<Kind, Said>>()
  private timer: NodeJS.Timeout | undefined

  constructor(options: RunningTextsOptions) {
    this.options = options
  }

  get nodeIds(): readonly string[] {
    return [...this.byNode.keys()]
  }

  open(nodeId: string): void {
    if (!this.byNode.has(nodeId)) this.byNode.set(nodeId, { text: nothing(), thinking: nothing() })
  }

  /** Of one that is not open, because it has ended, nothing more is told. */
  add(nodeId: string, kind: Kind, text: string): void {
    const said = this.byNode.get(nodeId)?.[kind]
    if (said === undefined) return
    said.all += text
    said.pending += text
    if (said.pending.length >= AT_CHARS) this.flushNode(nodeId)
    else this.timer ??= setTimeout(() => this.flush(), EVERY_MS)
  }

  /** What a node says by now; `undefined` when it is not on its way here. */
  read(nodeId: string): string | undefined {
    return this.byNode.get(nodeId)?.text.all
  }

  /** What listeners were told of it; what they are told next goes on from there. */
  told(nodeId: string, kind: Kind): string | undefined {
    const said = this.byNode.get(nodeId)?.[kind]
    return said?.all.slice(0, said.all.length - said.pending.length)
  }

  /** Stands for an answer as long as it is on its way, for what is kept with it. */
  get(nodeId: string): object | undefined {
    return this.byNode.get(nodeId)
  }

  /** Tells what is left of it, then lets go of it: its end says it all. */
  close(nodeId: string): void {
    if (!this.byNode.has(nodeId)) return
    this.flushNode(nodeId)
    this.byNode.delete(nodeId)
  }

  /** Everything that waits, so that whoever comes now gets it with the whole. */
  flush(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    for (const nodeId of this.byNode.keys()) this.flushNode(nodeId)
  }

  private flushNode(nodeId: string): void {
    const said = this.byNode.get(nodeId)!
    for (const kind of ['thinking', 'text'] as const) {
      const { all, pending } = said[kind]
      const text = withoutHalf(pending)
      if (text === '') continue
      if (!this.options.isKnown(nodeId)) {
        this.timer ??= setTimeout(() => this.flush(), EVERY_MS)
        return
      }
      said[kind].pending = pending.slice(text.length)
      let offset = all.length - pending.length
      for (const piece of piecesOf(text)) {
        this.options.tell({ nodeId, kind, text: piece, offset })
        offset += piece.length
      }
    }
  }
}

function nothing(): Said {
  return { all: '', pending: '' }
}

/** Half of a character waits for the other. */
function withoutHalf(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text
}
