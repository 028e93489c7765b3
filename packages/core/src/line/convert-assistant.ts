import { isObject } from '../context/json.ts'
import { isReadable, textPart } from './content.ts'
import type { AssistantItem, Call } from './item.ts'
import type { LineReasoning, LineToolCall, OutReason } from './line-message.ts'
import { readToolInput, toolName } from './tool-names.ts'

type Stored = Readonly<Record<string, unknown>>

/** An answer: text, calls, and the reasoning that leads it. One that failed, or that was cancelled at once, is not sent. */
export function convertAssistant(stored: Stored, nodeId: string): AssistantItem | OutReason {
  if (stored.stopReason === 'error') return 'failed'
  const blocks = asBlocks(stored.content)
  // Nearly always each block is a part. An array that grows from nothing makes room for seventeen.
  const parts: AssistantItem['parts'] = new Array(blocks.length)
  let count = 0
  let calls: readonly Call[] = NO_CALLS
  let hasText = false
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i]
    if (!isObject(block)) continue
    if (block.type === 'toolCall') {
      const call = readCall(block, stored)
      if (calls === NO_CALLS) calls = [call]
      else (calls as Call[]).push(call)
    } else if (block.type === 'thinking' || block.type === 'redactedThinking') {
      // Reasoning must lead an answer; what came between texts and calls cannot be sent back.
      const reasoning = hasText || calls !== NO_CALLS ? undefined : readReasoning(block, stored)
      if (reasoning !== undefined) parts[count++] = reasoning
    } else if (isReadable(block.text)) {
      parts[count++] = textPart(block.text)
      hasText = true
    }
  }
  if (!hasText && calls === NO_CALLS) return stored.stopReason === 'aborted' ? 'failed' : 'empty'
  for (let i = 0; i < calls.length; i++) parts[count++] = calls[i]!.part
  if (count < parts.length) parts.length = count
  return { type: 'assistant', nodeId, parts, calls }
}

const NO_CALLS: readonly Call[] = []

function asBlocks(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content
  return typeof content === 'string' ? [textPart(content)] : []
}

/** Who signed what is signed in an answer. */
function signerOf({ provider }: Stored): { readonly provider?: string } {
  return typeof provider === 'string' && provider !== '' ? { provider } : {}
}

function readCall(block: Stored, answer: Stored): Call {
  const { id, name, thoughtSignature } = block
  const toolCallId = typeof id === 'string' ? id : ''
  const part: LineToolCall = {
    type: 'tool_call',
    toolCallId,
    name: toolName(name),
    input: readToolInput(block.arguments),
  }
  const isSigned = typeof thoughtSignature === 'string' && thoughtSignature !== ''
  return { part: isSigned ? { ...part, signature: thoughtSignature, ...signerOf(answer) } : part, result: undefined }
}

function readReasoning(block: Stored, answer: Stored): LineReasoning | undefined {
  const signature = typeof block.thinkingSignature === 'string' ? block.thinkingSignature : ''
  if (block.type === 'redactedThinking') {
    return typeof block.data === 'string' && block.data !== ''
      ? { type: 'reasoning', text: '', redacted: block.data, ...signerOf(answer) }
      : undefined
  }
  if (!isReadable(block.thinking) && signature === '') return undefined
  const text = typeof block.thinking === 'string' ? block.thinking : ''
  return signature === '' ? { type: 'reasoning', text } : { type: 'reasoning', text, signature, ...signerOf(answer) }
}
