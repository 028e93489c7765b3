import { type Fields, isFields } from '../record.ts'
import type { NormalizedMessage } from './normalized-message.ts'

export interface AgentInputItem {
  readonly role: 'user' | 'assistant' | 'system'
  readonly content: string | readonly Fields[]
}

/** What an agent SDK takes (N18–N21). Results are told in words, as Neovate did before it had messages for them. */
export function toAgentInput(messages: readonly NormalizedMessage[]): AgentInputItem[] {
  return messages.map((message): AgentInputItem => {
    if (message.role === 'assistant') {
      return { role: 'assistant', content: [{ type: 'output_text', text: answerText(message) }] }
    }
    if (message.role === 'system') return { role: 'system', content: message.content }
    const { content } = message
    if (typeof content === 'string') return { role: 'user', content: [{ type: 'input_text', text: content }] }
    return { role: 'user', content: content.flatMap(toInputParts) }
  })
}

/** Lines without `text`, as seed 000 has them, are converted from their parts (X71). */
function answerText({ text, content }: NormalizedMessage): string {
  if (typeof text === 'string') return text
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' && typeof part.text === 'string' ? [part.text] : [])).join('')
}

function toInputParts(part: Fields): readonly Fields[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'input_text', text: part.text }]
    case 'image':
      return [toImage(part)]
    case 'tool_result':
      return toResultParts(part.name, part.input, part.result)
    case 'tool-result':
      return toResultParts(part.toolName, part.input, part.result)
    default:
      return [part]
  }
}

function toImage({ data, mimeType }: Fields): Fields {
  return { type: 'input_image', image: data, providerData: { mime_type: mimeType } }
}

function toResultParts(name: unknown, input: unknown, result: unknown): readonly Fields[] {
  const said = isFields(result) ? result.llmContent : result
  const parts = Array.isArray(said) ? (said as readonly unknown[]) : [said]
  return parts.map((part) => {
    if (isFields(part) && part.type === 'image') return toImage(part)
    const text = isFields(part) && typeof part.text === 'string' ? part.text : asText(part)
    return { type: 'input_text', text: resultText(name, input, text) }
  })
}

function resultText(name: unknown, input: unknown, text: string): string {
  const asked = JSON.stringify(input, null, 2)
  return `[${asText(name)} for ${asked}] result: \n<function_results>\n${text}\n</function_results>`
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
