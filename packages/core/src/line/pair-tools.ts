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
  const kept: Exclude<Item, ResultItem>[] = []
  /** Made when a result does not answer the latest answer: until then nobody has to be looked up. */
  let open: Map<string, Asked> | undefined
  let latest: AssistantItem | undefined
  for (const item of items) {
    if (item.type !== 'result') {
      kept.push(item)
      if (item.type === 'assistant') {
        latest = item
        if (open !== undefined) ask(open, item)
      }
      continue
    }
    const call = open === undefined ? findOpenCall(latest, item.part.toolCallId) : undefined
    if (call !== undefined) {
      call.result = item
      if (kept[kept.length - 1] !== latest) repairs.note(item.nodeId, 'result_moved')
      continue
    }
    open ??= listOpen(kept)
    const asked = open.get(item.part.toolCallId)
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

/** More calls than this are looked up. */
const FEW_CALLS = 8

function findOpenCall(by: AssistantItem | undefined, storedId: string): Call | undefined {
  if (by === undefined || by.calls.length > FEW_CALLS) return undefined
  return by.calls.find((call) => call.part.toolCallId === storedId && call.result === undefined)
}

function listOpen(kept: readonly Item[]): Map<string, Asked> {
  const open = new Map<string, Asked>()
  for (const item of kept) if (item.type === 'assistant') ask(open, item)
  return open
}

function ask(open: Map<string, Asked>, by: AssistantItem): void {
  for (const call of by.calls) {
    if (call.result !== undefined) continue
    const { toolCallId } = call.part
    const latest = open.get(toolCallId)
    if (latest?.by !== by) open.set(toolCallId, { by, first: call, more: undefined, next: 0, earlier: latest })
    else if (latest.more === undefined) latest.more = [call]
    else latest.more.push(call)
  }
}

function answer(open: Map<string, Asked>, asked: Asked, result: ResultItem): void {
  const call = asked.next === 0 ? asked.first : asked.more![asked.next - 1]!
  call.result = result
  if (asked.next++ < (asked.more?.length ?? 0)) return
  if (asked.earlier === undefined) open.delete(result.part.toolCallId)
  else open.set(result.part.toolCallId, asked.earlier)
}

function asText({ nodeId, part }: ResultItem): UserItem {
  const heading = textPart(`[${part.isError ? 'Error' : 'Result'} of the tool "${part.name}", whose call is not shown]`)
  return { type: 'user', nodeId, parts: [heading, ...part.output] }
}
