import { textPart } from './content.ts'
import type { Call, Item, Repairs, ResultItem, UserItem } from './item.ts'

/** The unanswered calls of one answer that share an id, in order. */
interface Asked {
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
      if (item.type === 'assistant') ask(open, item.calls)
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

function ask(open: Map<string, Asked[]>, calls: readonly Call[]): void {
  const here = new Map<string, Asked>()
  for (const call of calls) {
    const asked = here.get(call.storedId)
    if (asked !== undefined) asked.calls.push(call)
    else {
      const fresh: Asked = { calls: [call], next: 0 }
      here.set(call.storedId, fresh)
      const earlier = open.get(call.storedId)
      if (earlier === undefined) open.set(call.storedId, [fresh])
      else earlier.push(fresh)
    }
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
