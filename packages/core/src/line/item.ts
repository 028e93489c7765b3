import type { LineImage, LineReasoning, LineText, LineToolCall, Repair } from './line-message.ts'

/** A tool call on its way into the line: its id may still change, its result is still to be found. */
export interface Call {
  readonly part: LineToolCall
  /** As stored; results name this one. */
  readonly storedId: string
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
  /** As above; the calls are added to it. */
  readonly parts: (LineText | LineReasoning | LineToolCall)[]
  readonly calls: readonly Call[]
}
export interface ResultItem extends ItemBase {
  readonly type: 'result'
  readonly storedId: string
  readonly name: string
  readonly output: readonly (LineText | LineImage)[]
  readonly isError: boolean
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
