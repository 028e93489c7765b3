import { type Fields, isFields } from '../record.ts'
import type { NormalizedMessage } from './normalized-message.ts'

export interface LanguageMessage {
  readonly role: NormalizedMessage['role']
  readonly content: string | readonly Fields[]
}

const BASE64 = ';base64,'

/** What the AI SDK's second language model interface takes. Old results stay as they are; unknown parts become a word. */
export function toLanguageV2Messages(messages: readonly NormalizedMessage[]): LanguageMessage[] {
  return messages.map(({ role, content }) => {
    if (role === 'system') return { role, content }
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    return { role, content: parts.map(toPart) }
  })
}

function toPart(part: Fields): Fields {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: part.text }
    case 'image':
      return { type: 'file', data: base64Of(part.data), mediaType: part.mimeType }
    case 'tool_use':
      return { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.input }
    case 'tool-result':
      return {
        type: 'tool-result',
        toolCallId: part.toolCallId,
        toolName: part.toolName,
        output: toOutput(part.result),
      }
    case 'tool_result':
      return part
    default:
      // Neovate gives up the whole request here.
      return { type: 'text', text: `[${String(part.type)}]` }
  }
}

function toOutput(result: unknown): Fields {
  const said = isFields(result) ? result.llmContent : result
  if (!Array.isArray(said))
    return { type: 'text', value: typeof said === 'string' ? said : (JSON.stringify(said) ?? '') }
  const value = said.filter(isFields).map((part) => {
    if (part.type === 'image') return { type: 'media', data: base64Of(part.data), mediaType: part.mimeType }
    return { type: 'text', text: part.text }
  })
  return { type: 'content', value }
}

function base64Of(data: unknown): unknown {
  if (typeof data !== 'string') return data
  const at = data.indexOf(BASE64)
  return at < 0 ? data : data.slice(at + BASE64.length)
}
