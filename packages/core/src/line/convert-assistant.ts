import { isObject } from '../context/json.ts'
import { isReadable, textPart } from './content.ts'
import type { AssistantItem, Call } from './item.ts'
import type { LineReasoning, LineToolCall, OutReason } from './line-message.ts'
import { readToolInput, toolName } from './tool-names.ts'

type Stored = Readonly<Record<string, unknown>>

/** An answer: text, calls, and the reasoning that leads it. One that failed, or that was cancelled at once, is not sent. */
export function convertAssistant(stored: Stored, nodeId: string): AssistantItem | OutReason {
  if (stored.stopReason === 'error') return 'failed'
  const parts: AssistantItem['parts'] = []
  const calls: Call[] = []
  const { provider } = stored
  const signer: Signer = typeof provider === 'string' && provider !== '' ? { provider } : {}
  let hasText = false
  for (const block of asBlocks(stored.content)) {
    if (!isObject(block)) continue
    if (block.type === 'toolCall') calls.push(readCall(block, signer))
    else if (block.type === 'thinking' || block.type === 'redactedThinking') {
      // Reasoning must lead an answer; what came between texts and calls cannot be sent back.
      const reasoning = hasText || calls.length > 0 ? undefined : readReasoning(block, signer)
      if (reasoning !== undefined) parts.push(reasoning)
    } else if (isReadable(block.text)) {
      parts.push(textPart(block.text))
      hasText = true
    }
  }
  if (hasText || calls.length > 0) return { type: 'assistant', nodeId, parts, calls }
  return stored.stopReason === 'aborted' ? 'failed' : 'empty'
}

function asBlocks(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content
  return typeof content === 'string' ? [textPart(content)] : []
}

type Signer = { readonly provider?: string }

function readCall(block: Stored, signer: Signer): Call {
  const { id, name, thoughtSignature } = block
  const storedId = typeof id === 'string' ? id : ''
  const input = readToolInput(block.arguments)
  const part: LineToolCall = { type: 'tool_call', toolCallId: storedId, name: toolName(name), input }
  const isSigned = typeof thoughtSignature === 'string' && thoughtSignature !== ''
  return { part: isSigned ? { ...part, signature: thoughtSignature, ...signer } : part, storedId, result: undefined }
}

function readReasoning(block: Stored, signer: Signer): LineReasoning | undefined {
  const signature = typeof block.thinkingSignature === 'string' ? block.thinkingSignature : ''
  if (block.type === 'redactedThinking') {
    return typeof block.data === 'string' && block.data !== ''
      ? { type: 'reasoning', text: '', redacted: block.data, ...signer }
      : undefined
  }
  if (!isReadable(block.thinking) && signature === '') return undefined
  const text = typeof block.thinking === 'string' ? block.thinking : ''
  return signature === '' ? { type: 'reasoning', text } : { type: 'reasoning', text, signature, ...signer }
}
