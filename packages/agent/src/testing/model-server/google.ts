import { type Frame, type ModelReply, pieces, signatureFor, stopOf, usageOf, type WireRequest } from './reply.ts'

const FINISH = { stop: 'STOP', length: 'MAX_TOKENS', tool_use: 'STOP', filter: 'SAFETY' } as const

/** Google's `streamGenerateContent`. A call comes whole; what proves the thinking comes with the first one. */
export function* google(reply: ModelReply, { model }: WireRequest): Generator<Frame> {
  const frame = (kind: Frame['kind'], parts: readonly object[], end: object = {}, rest: object = {}): Frame => {
    const candidates = [{ content: { parts, role: 'model' }, index: 0, ...end }]
    const chunk = { candidates, ...rest, modelVersion: model, responseId: 'response-1' }
    return { kind, data: `data: ${JSON.stringify(chunk)}\n\n` }
  }
  const { toolCalls = [] } = reply
  const isSigned = reply.thinking !== undefined || reply.signature !== undefined
  for (const text of pieces(reply.thinking ?? '', reply)) yield frame('delta', [{ text, thought: true }])
  for (const text of pieces(reply.text ?? '', reply)) yield frame('delta', [{ text }])
  for (const [index, { id, name, input }] of toolCalls.entries()) {
    const functionCall = { ...(id !== undefined && { id }), name, args: input }
    const signed = isSigned && index === 0 ? { thoughtSignature: signatureFor(reply) } : {}
    yield frame('delta', [{ functionCall, ...signed }])
  }
  const { input, output, cacheRead, reasoning } = usageOf(reply)
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    cachedContentTokenCount: cacheRead,
    totalTokenCount: input + output,
  }
  yield frame('finish', [{ text: '' }], { finishReason: FINISH[stopOf(reply)] }, { usageMetadata })
}
