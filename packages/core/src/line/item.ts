import type { LineImage, LineReasoning, LineText, LineToolCall, LineToolResult, Repair } from './line-message.ts'

/** A tool call on its way into the line: its id may still change, its result is still to be found. */
export interface Call {
  /** With the id as stored; results name that one. */
  readonly part: LineToolCall
  result: ResultItem | undefined
}

/** What one node of the trunk becomes before calls and results are paired and runs of a role are merged. */
export type Item = SystemItem | UserItem | AssistantItem | ResultItem

interface ItemBase {
  /** `undefined` for what a strategy added. */
  readonly nodeId: string | undefined
}
export interface SystemItem extends ItemBase {
  readonly type: 'system'
  readonly tag: 'system' | 'developer'
  readonly text: string
}
export interface UserItem extends ItemBase {
  readonly type: 'user'
  /** Becomes the content of a message; nobody else holds on to it. */
  readonly parts: (LineText | LineImage)[]
}
export interface AssistantItem extends ItemBase {
  readonly type: 'assistant'
  /** As above; the calls are the last of them. */
  readonly parts: (LineText | LineReasoning | LineToolCall)[]
  readonly calls: readonly Call[]
}
export interface ResultItem extends ItemBase {
  readonly type: 'result'
  /** With id and name as stored; the line takes it as it is where the call says the same. */
  readonly part: LineToolResult
}

/** What was done to which node. */
export class Repairs {
  private readonly byNode = new Map<string, Set<Repair>>()

  note(nodeId: string | undefined, repair: Repair): void {
    if (nodeId === undefined) return
    const repairs = this.byNode.get(nodeId)
    if (repairs === undefined) this.byNode.set(nodeId, new Set([repair]))
    else repairs.add(repair)
  }

  of(nodeId: string): readonly Repair[] | undefined {
    const repairs = this.byNode.size === 0 ? undefined : this.byNode.get(nodeId)
    return repairs && [...repairs]
  }
}
