import type { SharedV4ProviderMetadata, SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { LineReasoning, LineToolCall } from '@treeline/core'
import type { Wire } from './wire.ts'

/**
 * The provider's proof for a thinking block, a text or a tool call, as one text for the log. Anthropic's and Google's as
 * it came. OpenAI's as the reasoning item it asks for again, which is what Pi keeps and sends in that place.
 */
export function signatureOf(metadata: SharedV4ProviderMetadata | undefined, provider: string): string | undefined {
  if (metadata === undefined) return undefined
  const said = metadata[provider] ?? Object.values(metadata)[0]
  const { signature, thoughtSignature, itemId, reasoningEncryptedContent: encrypted } = said ?? {}
  if (isFilled(signature)) return signature
  if (isFilled(thoughtSignature)) return thoughtSignature
  // Nothing is stored at OpenAI, so that an item's id says nothing without its content.
  if (!isFilled(itemId) || !isFilled(encrypted)) return undefined
  return JSON.stringify({ type: 'reasoning', id: itemId, summary: [], encrypted_content: encrypted })
}

/** How reasoning is given back to whom it came from; `undefined` when it cannot be. */
export function reasoningOptions(part: LineReasoning, wire: Wire): SharedV4ProviderOptions | undefined {
  const { signature = '', redacted = '' } = part
  switch (wire) {
    case 'anthropic':
      if (redacted !== '') return { anthropic: { redactedData: redacted } }
      return signature === '' ? undefined : { anthropic: { signature } }
    case 'google':
      return signature === '' ? undefined : { google: { thoughtSignature: signature } }
    case 'openai': {
      const item = readItem(signature)
      return item && { openai: { itemId: item.id, reasoningEncryptedContent: item.encrypted } }
    }
    case 'chat':
      return undefined
  }
}

/** How a signed call is given back. Gemini refuses calls without it, also behind OpenAI's dialect. */
export function callSignatureOptions(
  { signature = '' }: LineToolCall,
  wire: Wire,
): SharedV4ProviderOptions | undefined {
  const isGemini = wire === 'google' || wire === 'chat'
  // Other tools keep JSON of other makers in this place.
  if (!isGemini || signature === '' || /^[[{]/.test(signature)) return undefined
  return { google: { thoughtSignature: signature } }
}

function readItem(signature: string): { readonly id: string; readonly encrypted: string } | undefined {
  try {
    const item: unknown = JSON.parse(signature)
    if (typeof item !== 'object' || item === null) return undefined
    const { id, encrypted_content: encrypted } = item as Record<string, unknown>
    return isFilled(id) && isFilled(encrypted) ? { id, encrypted } : undefined
  } catch {
    // Another provider's, or cut: the line goes without it.
    return undefined
  }
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
