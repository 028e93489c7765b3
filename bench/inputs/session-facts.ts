import type { Entry } from '../../packages/core/src/entry/entry.ts'
import type { Summary } from '../child/summaries.ts'

interface Step {
  readonly depth: number
  readonly messages: number
}

interface Message {
  readonly role: string
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly timestamp: number
}

/** What a tool should find in a session, taken down while it is written. Class: it adds up. */
export class SessionFacts {
  private readonly steps: Map<string, Step> | undefined
  private leaf: Step = { depth: 0, messages: 0 }
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

  get summary(): Omit<Summary, 'id' | 'messageCount'> {
    return { firstPrompt: this.firstPrompt ?? '', lastActivityMs: this.lastActivityMs }
  }

  add({ id, parentId, type, message }: Entry): void {
    if (type === 'message') this.addMessage(message as Message)
    if (this.steps === undefined) return
    const parent = parentId === null ? { depth: 0, messages: 0 } : this.steps.get(parentId)!
    this.leaf = { depth: parent.depth + 1, messages: parent.messages + (type === 'message' ? 1 : 0) }
    this.steps.set(id, this.leaf)
  }

  private addMessage({ role, content, timestamp }: Message): void {
    if (role === 'user') this.firstPrompt ??= content[0]?.text ?? ''
    if (role !== 'toolResult') this.lastActivityMs = Math.max(this.lastActivityMs, timestamp)
  }
}
