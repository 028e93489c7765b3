import type { LineImage, LineMessage, LineText, LineToolCall, LineToolResult } from '../line/line-message.ts'

/**
 * What providers refuse, in their own terms. Each check translates a line the plain way into the shape of that provider's
 * request and lists what its API would answer 400 to; an empty list is an accepted request. Nothing here knows how a line
 * is made.
 */
export type Violations = string[]

const CALL_ID = /^[A-Za-z0-9_-]{1,64}$/
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const BLOB = /^blob:sha256:[0-9a-f]{64}$/
const IMAGE_TYPE = /^image\/[a-z0-9.+-]+$/i

/** Chat completions: a flat list, one `tool` message per result. */
export function checkOpenAi(messages: readonly LineMessage[]): Violations {
  const found = checkJson(messages)
  if (found.length > 0) return found
  const seenCalls = new Set<string>()
  /** Calls of the assistant message just before that wait for their answer. */
  let open = new Map<string, string>()
  const closeCalls = (where: string) => {
    for (const id of open.keys()) found.push(`${where}: the call ${id} before it has no tool message`)
    open = new Map()
  }
  for (const [index, message] of messages.entries()) {
    const where = `messages.${index} (${message.role})`
    if (message.content.length === 0) found.push(`${where}: content is empty`)
    if (message.role !== 'tool') closeCalls(where)
    switch (message.role) {
      case 'system':
        if (index > 0) found.push(`${where}: system is not the first message`)
        checkTexts(message.content, where, found)
        break
      case 'user':
        checkTexts(message.content, where, found)
        break
      case 'assistant': {
        const said = message.content.filter((part) => part.type !== 'reasoning')
        if (said.length === 0) found.push(`${where}: neither text nor tool calls`)
        checkTexts(said, where, found)
        for (const call of said.filter((part) => part.type === 'tool_call')) {
          checkCall(call, where, found)
          if (seenCalls.has(call.toolCallId)) found.push(`${where}: the call id ${call.toolCallId} is used twice`)
          seenCalls.add(call.toolCallId)
          open.set(call.toolCallId, call.name)
        }
        break
      }
      case 'tool':
        for (const result of message.content) {
          if (!open.delete(result.toolCallId)) found.push(`${where}: ${result.toolCallId} answers no call before it`)
          checkOutput(result, where, found)
        }
        break
      default:
        found.push(`${where}: no such role`)
    }
  }
  closeCalls('the end')
  return found
}

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly parts: LineMessage['content'][number][]
}

/** Messages: user and assistant turns, tool results being blocks of the user's. */
export function checkAnthropic(messages: readonly LineMessage[]): Violations {
  const found = checkJson(messages)
  if (found.length > 0) return found
  const turns = foldTurns(messages, found)
  const seenCalls = new Set<string>()
  let open: readonly LineToolCall[] = []
  for (const [index, { role, parts }] of turns.entries()) {
    const where = `turns.${index} (${role})`
    if (index === 0 && role !== 'user') found.push(`${where}: the first turn is not the user's`)
    if (parts.length === 0) found.push(`${where}: content is empty`)
    if (index > 0 && turns[index - 1]!.role === role) found.push(`${where}: roles do not alternate`)
    checkTexts(parts, where, found)
    if (role === 'user') {
      checkAnswers(open, parts, where, found)
      open = []
      continue
    }
    // Calls still open here were reported as roles that do not alternate.
    checkReasoning(parts, where, found)
    open = parts.filter((part) => part.type === 'tool_call')
    for (const call of open) {
      checkCall(call, where, found)
      if (seenCalls.has(call.toolCallId)) found.push(`${where}: the tool_use id ${call.toolCallId} is used twice`)
      seenCalls.add(call.toolCallId)
    }
  }
  for (const { toolCallId } of open) found.push(`the end: no tool_result for ${toolCallId}`)
  return found
}

/** generateContent: strict turns; a turn of function calls is followed by as many responses, of the same names. */
export function checkGemini(messages: readonly LineMessage[]): Violations {
  const found = checkJson(messages)
  if (found.length > 0) return found
  const turns = foldTurns(messages, found)
  for (const [index, { role, parts }] of turns.entries()) {
    const where = `contents.${index} (${role})`
    if (role !== (index % 2 === 0 ? 'user' : 'assistant')) found.push(`${where}: turns do not alternate from user`)
    if (parts.length === 0) found.push(`${where}: parts is empty`)
    checkTexts(parts, where, found)
    const calls = index === 0 ? [] : turns[index - 1]!.parts.filter((part) => part.type === 'tool_call')
    const responses = parts.filter((part) => part.type === 'tool_result')
    const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).join(', ')
    if (names(calls) !== names(responses)) {
      found.push(`${where}: function responses [${names(responses)}] to function calls [${names(calls)}]`)
    }
    for (const response of responses) checkOutput(response, where, found)
  }
  if (turns.at(-1)?.parts.some((part) => part.type === 'tool_call')) found.push('the end: function calls unanswered')
  return found
}

/** Tool results and what the user says next are one turn, results first; any other run of one role is an error. */
function foldTurns(messages: readonly LineMessage[], found: Violations): Turn[] {
  const turns: Turn[] = []
  let previous: LineMessage['role'] | undefined
  for (const [index, message] of messages.entries()) {
    const { role, content } = message
    if (role === 'system') {
      if (index > 0) found.push(`messages.${index}: system is not the leading message`)
      if (content.length === 0) found.push(`messages.${index}: system is empty`)
      checkTexts(content, `messages.${index} (system)`, found)
    } else if (role === 'user' && previous === 'tool') {
      if (content.length === 0) found.push(`messages.${index} (user): content is empty`)
      turns.at(-1)!.parts.push(...content)
    } else {
      turns.push({ role: role === 'tool' ? 'user' : role, parts: [...content] })
    }
    previous = role
  }
  return turns
}

/** The turn after calls starts with the results of all of them, and holds no others. */
function checkAnswers(
  open: readonly LineToolCall[],
  parts: readonly LineMessage['content'][number][],
  where: string,
  found: Violations,
): void {
  const waiting = new Set(open.map(({ toolCallId }) => toolCallId))
  let other = false
  for (const part of parts) {
    if (part.type !== 'tool_result') {
      other = true
      continue
    }
    if (other) found.push(`${where}: tool_result ${part.toolCallId} does not come first`)
    if (!waiting.delete(part.toolCallId)) found.push(`${where}: tool_result ${part.toolCallId} has no tool_use before`)
    checkOutput(part, where, found)
  }
  for (const id of waiting) found.push(`${where}: no tool_result for ${id}`)
}

function checkReasoning(parts: readonly LineMessage['content'][number][], where: string, found: Violations): void {
  let said = false
  for (const part of parts) {
    if (part.type !== 'reasoning') {
      said = true
      continue
    }
    if (said) found.push(`${where}: thinking does not come first`)
    if (part.text === '' && !part.signature && !part.redacted) found.push(`${where}: thinking is empty`)
  }
  // Thinking that is not this provider's own is not sent to it; something must be left.
  if (!said) found.push(`${where}: nothing but thinking`)
}

function checkCall({ toolCallId, name, input }: LineToolCall, where: string, found: Violations): void {
  if (!CALL_ID.test(toolCallId)) found.push(`${where}: bad call id ${JSON.stringify(toolCallId)}`)
  if (!TOOL_NAME.test(name)) found.push(`${where}: bad tool name ${JSON.stringify(name)}`)
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    found.push(`${where}: the input of ${toolCallId} is no object`)
  }
}

function checkOutput({ toolCallId, name, output, isError }: LineToolResult, where: string, found: Violations): void {
  if (!CALL_ID.test(toolCallId)) found.push(`${where}: bad call id ${JSON.stringify(toolCallId)}`)
  if (!TOOL_NAME.test(name)) found.push(`${where}: bad tool name ${JSON.stringify(name)}`)
  if (output.length === 0) found.push(`${where}: the output of ${toolCallId} is empty`)
  if (typeof isError !== 'boolean') found.push(`${where}: isError of ${toolCallId} is no boolean`)
  checkTexts(output, where, found)
}

function checkTexts(parts: readonly LineMessage['content'][number][], where: string, found: Violations): void {
  for (const part of parts) {
    if (part.type === 'text') checkText(part, where, found)
    if (part.type === 'image') checkImage(part, where, found)
  }
}

function checkText({ text }: LineText, where: string, found: Violations): void {
  if (typeof text !== 'string' || text.trim() === '') found.push(`${where}: blank text ${JSON.stringify(text)}`)
}

function checkImage({ data, mimeType }: LineImage, where: string, found: Violations): void {
  if (data === '' || !(BASE64.test(data) || BLOB.test(data))) found.push(`${where}: bad image data`)
  if (!IMAGE_TYPE.test(mimeType)) found.push(`${where}: bad image type ${JSON.stringify(mimeType)}`)
}

/** What JSON cannot say, or says differently when read again. Iterative: tool inputs may be deep. */
export function checkJson(value: unknown): Violations {
  const found: Violations = []
  const todo: [path: string, value: unknown][] = [['$', value]]
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [path, at] = next
    if (at === null || typeof at === 'string' || typeof at === 'boolean') continue
    if (typeof at === 'number') {
      if (!Number.isFinite(at)) found.push(`${path}: ${at} is not JSON`)
    } else if (typeof at !== 'object') found.push(`${path}: ${typeof at} is not JSON`)
    else if (Array.isArray(at)) for (let i = 0; i < at.length; i++) todo.push([`${path}.${i}`, at[i]])
    else if (![Object.prototype, null].includes(Object.getPrototypeOf(at))) found.push(`${path}: not a plain object`)
    else for (const key of Object.keys(at)) todo.push([`${path}.${key}`, (at as Record<string, unknown>)[key]])
  }
  if (found.length === 0) {
    try {
      JSON.stringify(value)
    } catch (error) {
      found.push(`$: ${String(error)}`)
    }
  }
  return found
}
