import { type Frame, inputText, type ModelReply, pieces, stopOf, usageOf, type WireRequest } from './reply.ts'

const FINISH = { stop: 'stop', length: 'length', tool_use: 'tool_calls', filter: 'content_filter' } as const

/** Chat completions, as OpenAI made them and vLLM, llama.cpp, Ollama, LM Studio and OpenRouter speak them. */
export function* openaiChat(reply: ModelReply, { model, body }: WireRequest): Generator<Frame> {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_750_000_000, model }
  const frame = (kind: Frame['kind'], delta: object, finish_reason: string | null = null): Frame => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason }]
    return { kind, data: `data: ${JSON.stringify({ ...head, choices })}\n\n` }
  }
  yield frame('start', { role: 'assistant', content: '' })
  // Not OpenAI's: the field DeepSeek introduced, which most servers of open models use.
  for (const reasoning_content of pieces(reply.thinking ?? '', reply)) yield frame('delta', { reasoning_content })
  for (const content of pieces(reply.text ?? '', reply)) yield frame('delta', { content })
  for (const [index, call] of (reply.toolCalls ?? []).entries()) {
    const { id = `call_${index}`, name } = call
    yield frame('start', { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
    for (const piece of pieces(inputText(call), reply)) {
      yield frame('delta', { tool_calls: [{ index, function: { arguments: piece } }] })
    }
  }
  yield frame('finish', {}, FINISH[stopOf(reply)])
  const asked = body.stream_options
  if (typeof asked === 'object' && asked !== null && 'include_usage' in asked && asked.include_usage === true) {
    yield { kind: 'finish', data: `data: ${JSON.stringify({ ...head, choices: [], usage: usage(reply) })}\n\n` }
  }
  yield { kind: 'finish', data: 'data: [DONE]\n\n' }
}

function usage(reply: ModelReply): object {
  const { input, output, cacheRead, reasoning } = usageOf(reply)
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}
