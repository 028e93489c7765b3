import type { Line, LineImage, LineMessage, LinePart } from '@treeline/core'
import type { ContextPreview, Part } from '@treeline/protocol'

type Message = ContextPreview['messages'][number]
type SimplePart = Exclude<Part, { type: 'tool_result' }>

/** The messages of a line in the words of the API. More than `maxBytes` are not told: then each says less. */
export function showMessages(
  line: Line,
  tokensOf: (message: LineMessage) => number,
  maxBytes: number,
): Pick<ContextPreview, 'messages' | 'warnings'> {
  const messages = line.messages.map((message) => showMessage(line, message, tokensOf(message)))
  const chars = messages.reduce((sum, message) => sum + sizeOf(message), 0)
  if (chars <= maxBytes) return { messages, warnings: [] }
  const share = Math.floor(maxBytes / messages.length)
  const cut = messages.map((message) => (sizeOf(message) <= share ? message : cutTo(message, share)))
  const detail = `The messages have ${chars} characters. Of each no more than ${share} are shown; all would be sent.`
  return { messages: cut, warnings: [{ code: 'content_cut', nodeIds: [], detail }] }
}

function showMessage(line: Line, message: LineMessage, tokens: number): Message {
  const { role, nodeIds } = message
  const parts = (message.content as readonly LinePart[]).map(toPart)
  const content = parts.map(textOfPart).filter((text) => text !== '')
  const isPlain = parts.every(({ type }) => type === 'text')
  const injectedBy = injectorsOf(line, message)
  return {
    nodeId: nodeIds[0] ?? null,
    ...(nodeIds.length > 1 && { nodeIds: [...nodeIds] }),
    role,
    content: content.join('\n\n'),
    ...(!isPlain && { parts }),
    ...(injectedBy !== '' && { injectedBy }),
    tokens,
  }
}

/** Who added to a message, or all of it. */
function injectorsOf({ injected }: Line, { role, content }: LineMessage): string {
  if (role !== 'system' && role !== 'user') return ''
  const texts = new Set(content.map((part) => (part.type === 'text' ? part.text : '')))
  const isHere = ({ place }: Line['injected'][number]) => (place === 'system') === (role === 'system')
  const names = injected.filter((one) => isHere(one) && texts.has(one.text)).map(({ by }) => by)
  return [...new Set(names)].join(', ')
}

function toPart(part: LinePart): Part {
  if (part.type !== 'tool_result') return toSimplePart(part)
  const { toolCallId, name, output, isError } = part
  const isText = output.every((piece) => piece.type === 'text')
  return {
    type: 'tool_result',
    toolCallId,
    name,
    output: isText ? output.map(({ text }) => text).join('\n') : output.map(toSimplePart),
    ...(isError && { isError }),
  }
}

function toSimplePart(part: Exclude<LinePart, { type: 'tool_result' }>): SimplePart {
  switch (part.type) {
    case 'image':
      return { type: 'image', blob: toBlob(part), mimeType: part.mimeType }
    case 'tool_call':
      return { type: 'tool_call', toolCallId: part.toolCallId, name: part.name, input: part.input }
    // What a provider signed or encrypted is for that provider alone.
    case 'reasoning':
      return { type: 'reasoning', text: part.text }
    case 'text':
      return { type: 'text', text: part.text }
  }
}

function toBlob({ data, mimeType }: LineImage): string {
  return data.startsWith('blob:') ? data : `data:${mimeType};base64,${data}`
}

function textOfPart(part: Part): string {
  if (part.type === 'text') return part.text
  if (part.type !== 'tool_result') return ''
  const { output } = part
  if (typeof output === 'string') return output
  return output.map((piece) => (piece.type === 'text' ? piece.text : '')).join('\n')
}

function sizeOf({ content, parts }: Message): number {
  return content.length + (parts === undefined ? 0 : JSON.stringify(parts).length)
}

function cutTo({ parts: _, ...message }: Message, share: number): Message {
  return { ...message, content: message.content.slice(0, share) }
}
