import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import { type Model, THINKING_LEVELS, type ThinkingLevel } from '../models/model.ts'
import { outputLimit } from './output-limit.ts'
import { wireOf } from './wire.ts'

export interface CallRequest {
  readonly prompt: LanguageModelV4Prompt
  readonly tools: readonly LanguageModelV4FunctionTool[]
  readonly model: Model
  readonly thinking: ThinkingLevel
  /** Tokens for what it says; thinking gets room besides. By default what the model allows. */
  readonly maxOutput?: number | undefined
  /** Names the provider's cache of the prompt. */
  readonly sessionId?: string | undefined
  readonly signal: AbortSignal
  /** What the answer is for; the demo model acts on it. */
  readonly purpose?: string | undefined
}

const CACHE_KEY_CHARS = 64

/** What a provider is called with, in its own options where the common ones do not say it. */
export function callOptions(request: CallRequest): LanguageModelV4CallOptions {
  const { prompt, tools, model, signal } = request
  const level = fittingLevel(request.thinking, model.info.thinking)
  const maxOutputTokens = outputLimit(request, level)
  return {
    prompt,
    abortSignal: signal,
    ...(tools.length > 0 && { tools: [...tools] }),
    ...(level !== undefined && { reasoning: level === 'off' ? 'none' : level }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    providerOptions: providerOptions(request, level),
  }
}

/** The level a model knows that comes nearest, rather a lower one; `undefined` for a model that cannot think. */
function fittingLevel(wanted: ThinkingLevel, known: readonly ThinkingLevel[]): ThinkingLevel | undefined {
  const levels = THINKING_LEVELS.filter((level) => known.includes(level))
  if (levels.every((level) => level === 'off')) return undefined
  const rank = THINKING_LEVELS.indexOf(wanted)
  return levels.findLast((level) => THINKING_LEVELS.indexOf(level) <= rank) ?? levels[0]
}

function providerOptions(
  { model, sessionId, tools, purpose }: CallRequest,
  level: ThinkingLevel | undefined,
): SharedV4ProviderOptions {
  return {
    ...wireOptions(model, sessionId, tools.length > 0, level),
    ...(purpose !== undefined && { treeline: { purpose } }),
  }
}

function wireOptions(
  model: Model,
  sessionId: string | undefined,
  hasTools: boolean,
  level: ThinkingLevel | undefined,
): SharedV4ProviderOptions {
  const thinks = level !== undefined && level !== 'off'
  switch (wireOf(model)) {
    case 'openai':
      return {
        openai: {
          // Nothing stays at the provider; reasoning comes back encrypted and is sent again (K6).
          store: false,
          ...(sessionId !== undefined && { promptCacheKey: sessionId.slice(0, CACHE_KEY_CHARS) }),
          ...(hasTools && { parallelToolCalls: true }),
          ...(level !== undefined && { forceReasoning: true }),
          ...(thinks && { reasoningSummary: 'auto' }),
        },
      }
    case 'anthropic':
      // A ping is a sign of life while it thinks.
      return { anthropic: { includePings: true } }
    case 'google':
      return thinks ? { google: { thinkingConfig: { includeThoughts: true } } } : {}
    case 'chat':
      return {}
  }
}
