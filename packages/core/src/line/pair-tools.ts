import { textPart } from './content.ts'
import type { AssistantItem, Call, Item, Repairs, ResultItem, UserItem } from './item.ts'

/** The calls of one answer that share an id, in order, from `next` on unanswered. */
interface Asked {
  readonly by: AssistantItem
  readonly calls: Call[]
  next: number
}

/**
 * Gives every result to the call it answers (X65): in the latest answer before it that asked under that id, the first one
 * still open. A result that answers nothing in the line stays where it is, as text. Returns the items without the results
 * that found a call.
 */
export function pairTools(items: readonly Item[], repairs: Repairs): Exclude<Item, ResultItem>[] {
  const open = new Map<string, Asked[]>()
  const kept: Exclude<Item, ResultItem>[] = []
  for (const item of items) {
    if (item.type !== 'result') {
      kept.push(item)
      if (item.type === 'assistant') ask(open, item)
      continue
    }
    const call = answer(open, item.storedId)
    if (call === undefined) {
      repairs.note(item.nodeId, 'result_as_text')
      kept.push(asText(item))
      continue
    }
    call.result = item
    const last = kept.at(-1)
    if (last?.type !== 'assistant' || !last.calls.includes(call)) repairs.note(item.nodeId, 'result_moved')
  }
  return kept
}

function ask(open: Map<string, Asked[]>, by: AssistantItem): void {
  for (const call of by.calls) {
    const stack = open.get(call.storedId)
    const latest = stack?.at(-1)
    if (latest?.by === by) latest.calls.push(call)
    else if (stack !== undefined) stack.push({ by, calls: [call], next: 0 })
    else open.set(call.storedId, [{ by, calls: [call], next: 0 }])
  }
}

function answer(open: Map<string, Asked[]>, storedId: string): Call | undefined {
  const stack = open.get(storedId)
  const asked = stack?.at(-1)
  if (stack === undefined || asked === undefined) return undefined
  const call = asked.calls[asked.next++]
  if (asked.next === asked.calls.length) stack.pop()
  return call
}

function asText(item: ResultItem): UserItem {
  const heading = textPart(`[${item.isError ? 'Error' : 'Result'} of the tool "${item.name}", whose call is not shown]`)
  return { type: 'user', nodeId: item.nodeId, parts: [heading, ...item.output] }
}
