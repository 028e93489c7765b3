import type { Entry } from '../../packages/core/src/entry/entry.ts'
import type { Summary } from '../child/summaries.ts'

interface Step {
  readonly depth: number
  readonly messages: number
  readonly bytes: number
}

const NO_STEP: Step = { depth: 0, messages: 0, bytes: 0 }

interface Message {
  readonly role: string
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly timestamp: number
}

/** What a tool should find in a session, taken down while it is written. Class: it adds up. */
export class SessionFacts {
  private readonly steps: Map<string, Step> | undefined
  private leaf = NO_STEP
  private firstPrompt: string | undefined
  private lastActivityMs = 0

  /** Following the path costs a Map of all entries. */
  constructor(followsPath: boolean) {
    if (followsPath) this.steps = new Map()
  }

  get depth(): number {
    return this.leaf.depth
  }

  get pathMessages(): number {
    return this.leaf.messages
  }

  /** Of the lines on the path, as Treeline writes them. */
  get pathBytes(): number {
    return this.leaf.bytes
  }

  get summary(): Omit<Summary, 'id' | 'messageCount'> {
    return { firstPrompt: this.firstPrompt ?? '', lastActivityMs: this.lastActivityMs }
  }

  add({ id, parentId, type, message }: Entry, lineBytes: number): void {
    if (type === 'message') this.addMessage(message as Message)
    if (this.steps === undefined) return
    const { depth, messages, bytes } = parentId === null ? NO_STEP : this.steps.get(parentId)!
    const added = type === 'message' ? 1 : 0
    this.leaf = { depth: depth + 1, messages: messages + added, bytes: bytes + lineBytes }
    this.steps.set(id, this.leaf)
  }

  private addMessage({ role, content, timestamp }: Message): void {
    if (role === 'user') this.firstPrompt ??= content[0]?.text ?? ''
    if (role !== 'toolResult') this.lastActivityMs = Math.max(this.lastActivityMs, timestamp)
  }
}
