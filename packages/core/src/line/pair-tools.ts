import { textPart } from './content.ts'
import type { AssistantItem, Call, Item, Repairs, ResultItem, UserItem } from './item.ts'

/** The calls of one answer that share an id, in order, from `next` on unanswered; below it those of earlier answers. */
interface Asked {
  readonly by: AssistantItem
  readonly first: Call
  /** Set when the answer asks more than once under one id, which is rare. */
  more: Call[] | undefined
  next: number
  readonly earlier: Asked | undefined
}

/**
 * Gives every result to the call it answers (X65): in the latest answer before it that asked under that id, the first one
 * still open. A result that answers nothing in the line stays where it is, as text. Returns the items without the results
 * that found a call.
 */
export function pairTools(items: readonly Item[], repairs: Repairs): Exclude<Item, ResultItem>[] {
  const open = new Map<string, Asked>()
  const kept: Exclude<Item, ResultItem>[] = []
  for (const item of items) {
    if (item.type !== 'result') {
      kept.push(item)
      if (item.type === 'assistant') ask(open, item)
      continue
    }
    const asked = open.get(item.storedId)
    if (asked === undefined) {
      repairs.note(item.nodeId, 'result_as_text')
      kept.push(asText(item))
      continue
    }
    answer(open, asked, item)
    if (kept[kept.length - 1] !== asked.by) repairs.note(item.nodeId, 'result_moved')
  }
  return kept
}

function ask(open: Map<string, Asked>, by: AssistantItem): void {
  for (const call of by.calls) {
    const latest = open.get(call.storedId)
    if (latest?.by !== by) open.set(call.storedId, { by, first: call, more: undefined, next: 0, earlier: latest })
    else if (latest.more === undefined) latest.more = [call]
    else latest.more.push(call)
  }
}

function answer(open: Map<string, Asked>, asked: Asked, result: ResultItem): void {
  const call = asked.next === 0 ? asked.first : asked.more![asked.next - 1]!
  call.result = result
  if (asked.next++ < (asked.more?.length ?? 0)) return
  if (asked.earlier === undefined) open.delete(result.storedId)
  else open.set(result.storedId, asked.earlier)
}

function asText(item: ResultItem): UserItem {
  const heading = textPart(`[${item.isError ? 'Error' : 'Result'} of the tool "${item.name}", whose call is not shown]`)
  return { type: 'user', nodeId: item.nodeId, parts: [heading, ...item.output] }
}
