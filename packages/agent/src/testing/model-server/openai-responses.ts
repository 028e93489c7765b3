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

const INCOMPLETE = { length: 'max_output_tokens', filter: 'content_filter' } as const

/** OpenAI's Responses API. */
export function* openaiResponses(reply: ModelReply, { model, body }: WireRequest): Generator<Frame> {
  let sequence = 0
  let output = -1
  const frame = (kind: Frame['kind'], type: string, fields: object): Frame => {
    const data = JSON.stringify({ type, sequence_number: sequence++, ...fields })
    return { kind, data: `event: ${type}\ndata: ${data}\n\n` }
  }
  const response = { id: 'resp_1', object: 'response', created_at: 1_750_000_000, model, output: [], usage: null }
  yield frame('start', 'response.created', { response: { ...response, status: 'in_progress' } })
  yield frame('start', 'response.in_progress', { response: { ...response, status: 'in_progress' } })

  if (reply.thinking !== undefined) {
    output++
    const include = Array.isArray(body.include) ? body.include : []
    // As at OpenAI, encrypted reasoning comes only to those who ask for it.
    const isAsked = include.includes('reasoning.encrypted_content')
    const item = { id: `rs_${output}`, type: 'reasoning', summary: [] as object[] }
    const at = { item_id: item.id, output_index: output, summary_index: 0 }
    const { thinking } = reply
    yield frame('start', 'response.output_item.added', { output_index: output, item })
    yield frame('start', 'response.reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } })
    for (const delta of pieces(thinking, reply))
      yield frame('delta', 'response.reasoning_summary_text.delta', { ...at, delta })
    yield frame('start', 'response.reasoning_summary_text.done', { ...at, text: thinking })
    yield frame('start', 'response.reasoning_summary_part.done', {
      ...at,
      part: { type: 'summary_text', text: thinking },
    })
    const summary = [{ type: 'summary_text', text: thinking }]
    const encrypted = isAsked ? { encrypted_content: signatureFor(reply) } : {}
    yield frame('start', 'response.output_item.done', {
      output_index: output,
      item: { ...item, summary, ...encrypted },
    })
  }

  if (reply.text !== undefined) {
    output++
    const item = {
      id: `msg_${output}`,
      type: 'message',
      role: 'assistant',
      status: 'in_progress',
      content: [] as object[],
    }
    const at = { item_id: item.id, output_index: output, content_index: 0 }
    const part = (text: string) => ({ type: 'output_text', text, annotations: [] })
    yield frame('start', 'response.output_item.added', { output_index: output, item })
    yield frame('start', 'response.content_part.added', { ...at, part: part('') })
    for (const delta of pieces(reply.text, reply)) yield frame('delta', 'response.output_text.delta', { ...at, delta })
    yield frame('start', 'response.output_text.done', { ...at, text: reply.text })
    yield frame('start', 'response.content_part.done', { ...at, part: part(reply.text) })
    const done = { ...item, status: 'completed', content: [part(reply.text)] }
    yield frame('start', 'response.output_item.done', { output_index: output, item: done })
  }

  for (const call of reply.toolCalls ?? []) {
    output++
    const text = inputText(call)
    const call_id = call.id ?? `call_${output}`
    const item = { id: `fc_${output}`, type: 'function_call', call_id, name: call.name, status: 'in_progress' }
    const at = { item_id: item.id, output_index: output }
    yield frame('start', 'response.output_item.added', { output_index: output, item: { ...item, arguments: '' } })
    for (const delta of pieces(text, reply))
      yield frame('delta', 'response.function_call_arguments.delta', { ...at, delta })
    yield frame('start', 'response.function_call_arguments.done', { ...at, arguments: text })
    const done = { ...item, status: 'completed', arguments: text }
    yield frame('start', 'response.output_item.done', { output_index: output, item: done })
  }

  const stop = stopOf(reply)
  const isWhole = stop === 'stop' || stop === 'tool_use'
  const { input, output: out, cacheRead, reasoning } = usageOf(reply)
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: out,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + out,
  }
  yield frame('finish', isWhole ? 'response.completed' : 'response.incomplete', {
    response: {
      ...response,
      status: isWhole ? 'completed' : 'incomplete',
      incomplete_details: isWhole ? null : { reason: INCOMPLETE[stop] },
      usage,
    },
  })
}
