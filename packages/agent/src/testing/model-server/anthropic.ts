import {
  type Frame,
  inputText,
  type ModelReply,
  pieces,
  signatureFor,
  stopOf,
  usageOf,
  type WireRequest,
} from './reply.ts'

const STOP = { stop: 'end_turn', length: 'max_tokens', tool_use: 'tool_use', filter: 'refusal' } as const

/** Anthropic's Messages API. */
export function* anthropic(reply: ModelReply, { model }: WireRequest): Generator<Frame> {
  let index = -1
  const frame = (kind: Frame['kind'], type: string, fields: object): Frame => ({
    kind,
    data: `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`,
  })
  const start = (content_block: object): Frame =>
    frame('start', 'content_block_start', { index: ++index, content_block })
  const delta = (piece: object, kind: Frame['kind'] = 'delta'): Frame =>
    frame(kind, 'content_block_delta', { index, delta: piece })
  const stop = (): Frame => frame('start', 'content_block_stop', { index })

  const { input, output, cacheRead, cacheWrite } = usageOf(reply)
  const usage = {
    input_tokens: input - cacheRead - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: 1,
  }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage }
  yield frame('start', 'message_start', { message })
  yield frame('start', 'ping', {})

  if (reply.redacted !== undefined) {
    yield start({ type: 'redacted_thinking', data: reply.redacted })
    yield stop()
  }
  if (reply.thinking !== undefined) {
    yield start({ type: 'thinking', thinking: '', signature: '' })
    for (const thinking of pieces(reply.thinking, reply)) yield delta({ type: 'thinking_delta', thinking })
    yield delta({ type: 'signature_delta', signature: signatureFor(reply) }, 'start')
    yield stop()
  }
  if (reply.text !== undefined) {
    yield start({ type: 'text', text: '' })
    for (const text of pieces(reply.text, reply)) yield delta({ type: 'text_delta', text })
    yield stop()
  }
  for (const call of reply.toolCalls ?? []) {
    yield start({ type: 'tool_use', id: call.id ?? `toolu_${index}`, name: call.name, input: {} })
    for (const partial_json of pieces(inputText(call), reply)) yield delta({ type: 'input_json_delta', partial_json })
    yield stop()
  }
  const end = { stop_reason: STOP[stopOf(reply)], stop_sequence: null }
  yield frame('finish', 'message_delta', { delta: end, usage: { output_tokens: output } })
  yield frame('finish', 'message_stop', {})
}
