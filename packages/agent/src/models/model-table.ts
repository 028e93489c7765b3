import type { Prices, ThinkingLevel } from './model.ts'

/**
 * What is known of models, as of November 2026. A row stands for its id and for the dated forms of it.
 *
 * Where a provider charges more for long questions, the window ends at that step, so that what is counted is what it
 * costs; whoever wants the rest says so in `settings.models`. Prices that are announced to rise are given as they will be.
 */
export interface ModelRow {
  readonly contextWindow: number
  readonly maxOutput: number
  readonly prices: Prices
  readonly thinking: readonly ThinkingLevel[]
  /** By default it can see them. */
  readonly images?: false
  /** Still served, no longer worth proposing. */
  readonly isOld?: true
}

const NONE: readonly ThinkingLevel[] = ['off']
const LOW_TO_HIGH: readonly ThinkingLevel[] = ['low', 'medium', 'high']
const LOW_TO_XHIGH: readonly ThinkingLevel[] = ['low', 'medium', 'high', 'xhigh']
const MINIMAL_TO_HIGH: readonly ThinkingLevel[] = ['minimal', 'low', 'medium', 'high']
const OFF_TO_HIGH: readonly ThinkingLevel[] = ['off', 'low', 'medium', 'high']
const OFF_TO_XHIGH: readonly ThinkingLevel[] = ['off', 'low', 'medium', 'high', 'xhigh']
const BUDGET: readonly ThinkingLevel[] = ['off', 'minimal', 'low', 'medium', 'high']

/** Input, output, cache read, cache write, in dollars for a million tokens. */
function price(input: number, output: number, cacheRead?: number, cacheWrite?: number): Prices {
  return {
    input,
    output,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  }
}

function row(
  contextWindow: number,
  maxOutput: number,
  prices: Prices,
  thinking: readonly ThinkingLevel[],
  more: Pick<ModelRow, 'images' | 'isOld'> = {},
): ModelRow {
  return { contextWindow, maxOutput, prices, thinking, ...more }
}

const OLD = { isOld: true } as const
const TEXT_ONLY = { images: false } as const

const anthropic: Readonly<Record<string, ModelRow>> = {
  'claude-sonnet-5-5': row(1_000_000, 128_000, price(2, 10, 0.2, 2.5), LOW_TO_XHIGH),
  'claude-opus-5-5': row(1_000_000, 128_000, price(4, 20, 0.2, 5), LOW_TO_XHIGH),
  'claude-haiku-5-5': row(100_000, 64_000, price(0.1, 0.5, 0.01, 0.125), OFF_TO_XHIGH),
  'claude-fable-5-1': row(1_000_000, 128_000, price(10, 50, 0.25, 12.5), LOW_TO_XHIGH),
  'claude-fable-5': row(1_000_000, 128_000, price(10, 50, 1, 12.5), LOW_TO_XHIGH, OLD),
  'claude-sonnet-5': row(1_000_000, 128_000, price(2, 10, 0.2, 2.5), OFF_TO_XHIGH, OLD),
  'claude-opus-5': row(1_000_000, 128_000, price(5, 25, 0.5, 6.25), OFF_TO_XHIGH, OLD),
  'claude-opus-4-8': row(1_000_000, 128_000, price(5, 25, 0.5, 6.25), OFF_TO_XHIGH, OLD),
  'claude-opus-4-7': row(1_000_000, 128_000, price(5, 25, 0.5, 6.25), OFF_TO_XHIGH, OLD),
  'claude-opus-4-6': row(1_000_000, 128_000, price(5, 25, 0.5, 6.25), OFF_TO_HIGH, OLD),
  'claude-sonnet-4-6': row(1_000_000, 128_000, price(3, 15, 0.3, 3.75), OFF_TO_HIGH, OLD),
  'claude-opus-4-5': row(200_000, 64_000, price(5, 25, 0.5, 6.25), BUDGET, OLD),
  'claude-sonnet-4-5': row(200_000, 64_000, price(3, 15, 0.3, 3.75), BUDGET, OLD),
  'claude-haiku-4-5': row(200_000, 64_000, price(1, 5, 0.1, 1.25), BUDGET, OLD),
  'claude-opus-4-1': row(200_000, 32_000, price(15, 75, 1.5, 18.75), BUDGET, OLD),
}

const openai: Readonly<Record<string, ModelRow>> = {
  'gpt-6.1-sol': row(272_000, 128_000, price(2, 10, 0.1, 2.5), LOW_TO_XHIGH),
  'gpt-6.1-terra': row(272_000, 128_000, price(1, 5, 0.05, 1.25), OFF_TO_XHIGH),
  'gpt-6-astra': row(272_000, 128_000, price(10, 50, 1, 12.5), LOW_TO_XHIGH),
  'gpt-6-luna': row(272_000, 128_000, price(0.1, 0.5, 0.01, 0.125), OFF_TO_XHIGH),
  'gpt-6-sol': row(272_000, 128_000, price(2, 10, 0.2, 2.5), OFF_TO_XHIGH, OLD),
  'gpt-5.6-sol': row(272_000, 128_000, price(4, 20, 0.4, 5), OFF_TO_XHIGH, OLD),
  'gpt-5.6-terra': row(272_000, 128_000, price(2, 12, 0.2, 2.5), OFF_TO_XHIGH, OLD),
  'gpt-5.6-luna': row(272_000, 128_000, price(0.2, 1.2, 0.02, 0.25), OFF_TO_XHIGH, OLD),
  'gpt-5.5': row(272_000, 128_000, price(5, 30, 0.5), OFF_TO_XHIGH, OLD),
  'gpt-5.4': row(272_000, 128_000, price(2.5, 15, 0.25), OFF_TO_XHIGH, OLD),
  'gpt-5.4-mini': row(400_000, 128_000, price(0.75, 4.5, 0.075), OFF_TO_XHIGH, OLD),
  'gpt-5.4-nano': row(400_000, 128_000, price(0.2, 1.25, 0.02), OFF_TO_XHIGH, OLD),
  'gpt-5.3-codex': row(400_000, 128_000, price(1.75, 14, 0.175), OFF_TO_XHIGH, OLD),
  'gpt-5.2': row(400_000, 128_000, price(1.75, 14, 0.175), OFF_TO_XHIGH, OLD),
  'gpt-5.1': row(400_000, 128_000, price(1.25, 10, 0.125), OFF_TO_HIGH, OLD),
  'gpt-5': row(400_000, 128_000, price(1.25, 10, 0.125), MINIMAL_TO_HIGH, OLD),
  'gpt-5-mini': row(400_000, 128_000, price(0.25, 2, 0.025), MINIMAL_TO_HIGH, OLD),
  'gpt-5-nano': row(400_000, 128_000, price(0.05, 0.4, 0.005), MINIMAL_TO_HIGH, OLD),
  'gpt-4.1': row(1_047_576, 32_768, price(2, 8, 0.5), NONE, OLD),
  'gpt-4.1-mini': row(1_047_576, 32_768, price(0.4, 1.6, 0.1), NONE, OLD),
  'gpt-4.1-nano': row(1_047_576, 32_768, price(0.1, 0.4, 0.025), NONE, OLD),
  'gpt-4o': row(128_000, 16_384, price(2.5, 10, 1.25), NONE, OLD),
  'gpt-4o-2024-05-13': row(128_000, 4_096, price(5, 15), NONE, OLD),
  'gpt-4o-mini': row(128_000, 16_384, price(0.15, 0.6, 0.075), NONE, OLD),
  o3: row(200_000, 100_000, price(2, 8, 0.5), LOW_TO_HIGH, OLD),
  'o4-mini': row(200_000, 100_000, price(1.1, 4.4, 0.275), LOW_TO_HIGH, OLD),
}

const google: Readonly<Record<string, ModelRow>> = {
  'gemini-3.8-flash': row(1_048_576, 65_536, price(0.75, 3.75, 0.075), LOW_TO_HIGH),
  'gemini-4-argon': row(1_048_576, 65_536, price(4, 20, 0.2), LOW_TO_HIGH),
  'gemini-4-carbon': row(1_048_576, 65_536, price(4, 20, 0.2), LOW_TO_HIGH),
  'gemini-3.5-flash-lite': row(1_048_576, 65_536, price(0.3, 2.5, 0.03), MINIMAL_TO_HIGH),
  'gemini-3.7-flash': row(1_048_576, 65_536, price(0.75, 3.75, 0.075), LOW_TO_HIGH, OLD),
  'gemini-3.6-flash': row(1_048_576, 65_536, price(0.75, 3.75, 0.075), MINIMAL_TO_HIGH, OLD),
  'gemini-3.5-flash': row(1_048_576, 65_536, price(1.5, 9, 0.15), MINIMAL_TO_HIGH, OLD),
  'gemini-3.1-pro': row(200_000, 65_536, price(2, 12, 0.2), LOW_TO_HIGH, OLD),
  'gemini-3.1-flash-lite': row(1_048_576, 65_536, price(0.25, 1.5, 0.025), MINIMAL_TO_HIGH, OLD),
  'gemini-3-flash': row(1_048_576, 65_536, price(0.5, 3, 0.05), MINIMAL_TO_HIGH, OLD),
  'gemini-2.5-pro': row(200_000, 65_536, price(1.25, 10, 0.125), MINIMAL_TO_HIGH, OLD),
  'gemini-2.5-flash': row(1_048_576, 65_536, price(0.3, 2.5, 0.03), BUDGET, OLD),
  'gemini-2.5-flash-lite': row(1_048_576, 65_536, price(0.1, 0.4, 0.01), BUDGET, OLD),
}

const others: Readonly<Record<string, Readonly<Record<string, ModelRow>>>> = {
  xai: { 'grok-4.7': row(200_000, 64_000, price(2, 6, 0.5), LOW_TO_XHIGH) },
  deepseek: {
    'deepseek-v4-pro': row(1_000_000, 384_000, price(1.32, 3.96, 0.044), ['off', 'high'], TEXT_ONLY),
    'deepseek-flash': row(1_000_000, 384_000, price(0.3, 1.2, 0.006), ['off', 'low', 'high']),
  },
  mistral: {
    'mistral-medium-latest': row(262_144, 64_000, price(1.5, 7.5, 0.15), NONE),
    'mistral-small-latest': row(256_000, 64_000, price(0.15, 0.6, 0.015), NONE),
    'devstral-latest': row(262_144, 64_000, price(0.4, 2, 0.04), NONE, TEXT_ONLY),
  },
  // Small, so that compaction can be tried.
  demo: { demo: row(32_000, 4_096, price(0, 0), OFF_TO_HIGH) },
  groq: { 'openai/gpt-oss-120b': row(131_072, 65_536, price(0.15, 0.6, 0.075), LOW_TO_HIGH, TEXT_ONLY) },
}

/** By provider, then by id; the one to propose comes first. */
export const MODEL_TABLE: Readonly<Record<string, Readonly<Record<string, ModelRow>>>> = {
  anthropic,
  openai,
  google,
  ...others,
}
