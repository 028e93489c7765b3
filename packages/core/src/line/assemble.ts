import { assertNever } from '../errors.ts'
import { textPart } from './content.ts'
import type { AssistantItem, Item, Repairs, ResultItem, SystemItem } from './item.ts'
import type { LineImage, LineMessage, LineReasoning, LineText, LineToolCall, LineToolResult } from './line-message.ts'
import { CallIds } from './tool-names.ts'

interface Draft<Role, Part> {
  readonly role: Role
  readonly content: Part[]
  readonly nodeIds: string[]
}
type AnyDraft =
  | Draft<'system', LineText>
  | Draft<'user', LineText | LineImage>
  | Draft<'assistant', LineText | LineReasoning | LineToolCall>
  | Draft<'tool', LineToolResult>

const NO_RESULT = 'There is no result: the call was interrupted, or its result is not shown.'
const OPENING = '(What came before is not shown.)'

/** Turns items into messages that every provider accepts (G4): one system message first, then a user, then by turns. */
export function assembleMessages(
  items: readonly Exclude<Item, ResultItem>[],
  repairs: Repairs,
): readonly LineMessage[] {
  const drafts: AnyDraft[] = []
  const callIds = new CallIds()
  for (const item of items) {
    switch (item.type) {
      case 'system':
        addSystem(drafts, item)
        break
      case 'user':
        addUser(drafts, item.nodeId, item.parts)
        break
      case 'assistant':
        addAssistant(drafts, item, callIds, repairs)
        break
      default:
        assertNever(item)
    }
  }
  return drafts
}

/** System text leads the line or, later on, stands in its place as marked user text: no provider takes it there. */
function addSystem(drafts: AnyDraft[], { tag, text, nodeId }: SystemItem): void {
  const last = drafts.at(-1)
  if (last === undefined) drafts.push({ role: 'system', content: [textPart(text)], nodeIds: ids(nodeId) })
  else if (last.role === 'system') {
    last.content.push(textPart(text))
    last.nodeIds.push(...ids(nodeId))
  } else addUser(drafts, nodeId, [textPart(`<${tag}>\n${text}\n</${tag}>`)])
}

function addUser(drafts: AnyDraft[], nodeId: string | undefined, parts: readonly (LineText | LineImage)[]): void {
  const last = drafts.at(-1)
  if (last?.role === 'user') {
    last.content.push(...parts)
    last.nodeIds.push(...ids(nodeId))
  } else drafts.push({ role: 'user', content: [...parts], nodeIds: ids(nodeId) })
}

function addAssistant(drafts: AnyDraft[], item: AssistantItem, callIds: CallIds, repairs: Repairs): void {
  let last = drafts.at(-1)
  if (last === undefined || last.role === 'system') {
    drafts.push({ role: 'user', content: [textPart(OPENING)], nodeIds: [] })
    last = undefined
  }
  // In a merged answer only the first one's reasoning still leads.
  const parts = last?.role === 'assistant' ? item.parts.filter((part) => part.type !== 'reasoning') : item.parts
  let draft: Draft<'assistant', LineText | LineReasoning | LineToolCall>
  if (last?.role === 'assistant') {
    draft = last
    draft.content.push(...parts)
    draft.nodeIds.push(...ids(item.nodeId))
  } else {
    draft = { role: 'assistant', content: [...parts], nodeIds: ids(item.nodeId) }
    drafts.push(draft)
  }
  if (item.calls.length > 0) drafts.push(answerCalls(draft, item, callIds, repairs))
}

/** Adds the calls to the answer and makes the message that answers each of them at once. */
function answerCalls(
  draft: Draft<'assistant', LineText | LineReasoning | LineToolCall>,
  item: AssistantItem,
  callIds: CallIds,
  repairs: Repairs,
): Draft<'tool', LineToolResult> {
  const results: Draft<'tool', LineToolResult> = { role: 'tool', content: [], nodeIds: [] }
  for (const { part, storedId, result } of item.calls) {
    const toolCallId = callIds.claim(storedId)
    if (toolCallId !== storedId) repairs.note(item.nodeId, 'call_renamed')
    draft.content.push(toolCallId === part.toolCallId ? part : { ...part, toolCallId })
    if (result === undefined) {
      repairs.note(item.nodeId, 'result_missing')
      const output = [textPart(NO_RESULT)]
      results.content.push({ type: 'tool_result', toolCallId, name: part.name, output, isError: true })
    } else {
      const { output, isError } = result
      results.content.push({ type: 'tool_result', toolCallId, name: part.name, output, isError })
      results.nodeIds.push(...ids(result.nodeId))
    }
  }
  return results
}

function ids(nodeId: string | undefined): string[] {
  return nodeId === undefined ? [] : [nodeId]
}
