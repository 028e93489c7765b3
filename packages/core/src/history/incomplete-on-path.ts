import { isObject, type JsonObject } from '../context/json.ts'
import type { Entry } from '../entry/entry.ts'
import { Role } from '../entry/kind.ts'
import type { Steps } from '../steps.ts'
import { linePath } from '../tree/path.ts'
import type { Tree } from '../tree/tree.ts'

/** A call of the trunk that nothing on the trunk answers: its tool never ran, or died while it did. */
export interface IncompleteToolCall {
  readonly nodeId: string
  readonly toolCallId: string
  readonly name: string
  readonly input: unknown
}

/** So that a path of any length is never in memory as a whole. */
const BATCH = 256

/**
 * The tool calls on the path to a leaf that have no result on it (P17, X65, X69), in the order they were made. A result
 * answers the latest open call of its id before it, as in the line. What a failed turn asked for is not owed an answer.
 * Positions asked for are those of `linePath(tree, leaf)`, answers and results only.
 */
export function* findIncompleteToolCallsOnPath(tree: Tree, leaf: number): Steps<IncompleteToolCall[]> {
  const path = linePath(tree, leaf)
  const wanted: number[] = []
  for (let position = 0; position < path.length; position++) {
    const role = path.roleAt(position)
    if (role === Role.assistant || role === Role.toolResult) wanted.push(position)
  }
  const open = new Map<string, IncompleteToolCall[]>()
  const inOrder = new Set<IncompleteToolCall>()
  for (let start = 0; start < wanted.length; start += BATCH) {
    const positions = wanted.slice(start, start + BATCH)
    const entries = yield positions
    positions.forEach((position, i) => {
      const message = messageOf(entries[i])
      if (message?.role === 'toolResult') {
        const answered = open.get(asId(message.toolCallId))?.pop()
        if (answered !== undefined) inOrder.delete(answered)
      } else if (message?.role === 'assistant' && message.stopReason !== 'error') {
        for (const call of readCalls(message.content, path.idAt(position))) {
          inOrder.add(call)
          const calls = open.get(call.toolCallId)
          if (calls === undefined) open.set(call.toolCallId, [call])
          else calls.push(call)
        }
      }
    })
  }
  return [...inOrder]
}

function messageOf(entry: Entry | undefined): JsonObject | undefined {
  return isObject(entry?.message) ? entry.message : undefined
}

function* readCalls(content: unknown, nodeId: string): Generator<IncompleteToolCall> {
  if (!Array.isArray(content)) return
  for (const block of content as readonly unknown[]) {
    if (!isObject(block) || block.type !== 'toolCall') continue
    const { id, name, arguments: input } = block
    yield { nodeId, toolCallId: asId(id), name: typeof name === 'string' ? name : '', input }
  }
}

function asId(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
