import { textPart } from './content.ts'
import type { Call, Item, Repairs, ResultItem, UserItem } from './item.ts'

/**
 * Gives every result to the call it answers (X65): the latest one before it with that id that has no answer yet. A result
 * that answers nothing in the line stays where it is, as text. Returns the items without the results that found a call.
 */
export function pairTools(items: readonly Item[], repairs: Repairs): Exclude<Item, ResultItem>[] {
  const open = new Map<string, Call[]>()
  const kept: Exclude<Item, ResultItem>[] = []
  for (const item of items) {
    if (item.type !== 'result') {
      kept.push(item)
      if (item.type === 'assistant') for (const call of item.calls) push(open, call)
      continue
    }
    const call = open.get(item.storedId)?.pop()
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

function push(open: Map<string, Call[]>, call: Call): void {
  const calls = open.get(call.storedId)
  if (calls === undefined) open.set(call.storedId, [call])
  else calls.push(call)
}

function asText(item: ResultItem): UserItem {
  const heading = textPart(`[${item.isError ? 'Error' : 'Result'} of the tool "${item.name}", whose call is not shown]`)
  return { type: 'user', nodeId: item.nodeId, parts: [heading, ...item.output] }
}
