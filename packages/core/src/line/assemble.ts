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
  if (last !== undefined && last.role !== 'system') {
    addUser(drafts, nodeId, [textPart(`<${tag}>\n${text}\n</${tag}>`)])
    return
  }
  const draft: Draft<'system', LineText> = last ?? { role: 'system', content: [], nodeIds: [] }
  if (last === undefined) drafts.push(draft)
  draft.content.push(textPart(text))
  addNode(draft, nodeId)
}

function addUser(drafts: AnyDraft[], nodeId: string | undefined, parts: (LineText | LineImage)[]): void {
  const last = drafts.at(-1)
  if (last?.role === 'user') {
    for (const part of parts) last.content.push(part)
    addNode(last, nodeId)
  } else drafts.push({ role: 'user', content: parts, nodeIds: listOf(nodeId) })
}

type AssistantDraft = Draft<'assistant', LineText | LineReasoning | LineToolCall>

function addAssistant(drafts: AnyDraft[], item: AssistantItem, callIds: CallIds, repairs: Repairs): void {
  const last = drafts.at(-1)
  if (last === undefined || last.role === 'system') addUser(drafts, undefined, [textPart(OPENING)])
  let draft: AssistantDraft
  if (last?.role === 'assistant') {
    draft = last
    // In a merged answer only the first one's reasoning still leads.
    for (const part of item.parts) if (part.type !== 'reasoning') draft.content.push(part)
    addNode(draft, item.nodeId)
  } else {
    draft = { role: 'assistant', content: item.parts, nodeIds: listOf(item.nodeId) }
    drafts.push(draft)
  }
  if (item.calls.length > 0) drafts.push(answerCalls(draft, item, callIds, repairs))
}

/** Makes the message that answers each call at once; the calls are the last parts of the draft. */
function answerCalls(
  draft: AssistantDraft,
  item: AssistantItem,
  callIds: CallIds,
  repairs: Repairs,
): Draft<'tool', LineToolResult> {
  const nodeIds = listOf(item.calls[0]?.result?.nodeId)
  const firstCall = draft.content.length - item.calls.length
  const content = item.calls.map(({ part, result }, i): LineToolResult => {
    const { name } = part
    const toolCallId = callIds.claim(part.toolCallId)
    const isKept = toolCallId === part.toolCallId
    if (!isKept) {
      repairs.note(item.nodeId, 'call_renamed')
      draft.content[firstCall + i] = { ...part, toolCallId }
    }
    if (result === undefined) {
      repairs.note(item.nodeId, 'result_missing')
      return { type: 'tool_result', toolCallId, name, output: [textPart(NO_RESULT)], isError: true }
    }
    const { nodeId, part: answer } = result
    if (i > 0 && nodeId !== undefined) nodeIds.push(nodeId)
    return isKept && answer.name === name ? answer : { ...answer, toolCallId, name }
  })
  return { role: 'tool', content, nodeIds }
}

/** Never grown from nothing, which would make room for seventeen: there are two lists per message. */
function listOf(nodeId: string | undefined): string[] {
  return nodeId === undefined ? [] : [nodeId]
}

function addNode(draft: AnyDraft, nodeId: string | undefined): void {
  if (nodeId !== undefined) draft.nodeIds.push(nodeId)
}
