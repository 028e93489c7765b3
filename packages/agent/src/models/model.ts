import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ModelListing } from './list-models.ts'

/** How hard a model thinks before it answers; each model knows some of them. */
export const THINKING_LEVELS = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const
export type ThinkingLevel = (typeof THINKING_LEVELS)[number]

/** US dollars for a million tokens. */
export interface Prices {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

/** What has to be known of a model besides how to call it. */
export interface ModelInfo {
  /** How many tokens question and answer may have together. */
  readonly contextWindow: number
  readonly maxOutput: number
  /** `undefined`: not known, so no cost is counted. Zero for a model on one's own machine. */
  readonly prices?: Prices
  /** Without `off` alone it can think. */
  readonly thinking: readonly ThinkingLevel[]
  readonly images: boolean
}

/** A model that can be asked. `ref` is `provider/id`, as people choose it and logs name it. */
export interface Model {
  readonly ref: string
  readonly provider: string
  readonly id: string
  /** Which wire format it speaks, as logs say it: `openai-responses`, `anthropic-messages` … */
  readonly api: string
  readonly info: ModelInfo
  readonly language: LanguageModelV4
}

/** Where models come from. A test or a program gives its own. */
export interface ModelCatalogue {
  /** Throws `validation_failed` for a name that is none, `unauthorized` when its provider has no key. */
  open(ref: string): Promise<Model>
  /** The model to use when nobody has chosen one. */
  defaultRef(): Promise<string>
  /** Every model that can be chosen from, where that is known. */
  list?(): Promise<readonly ModelListing[]>
}
